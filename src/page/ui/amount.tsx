import { useId, useState } from 'react';
import type { CSSProperties } from 'react';
import { typed } from './typed.ts';

interface AmountProps {
  readonly label: string;
  /** Definition of the number, on hover. */
  readonly hint: string;
  readonly unit?: string;
  readonly value: number;
  /** The places of the slider, rising; the field beside it takes any number that `check` accepts. */
  readonly stops: readonly number[];
  /** A sentence when the number cannot be used, else null. */
  readonly check: (value: number) => string | null;
  readonly disabled?: boolean;
  readonly onChange: (value: number) => void;
}

/** A number with a slider for the hand and a field for the exact value. */
export function Amount({ label, hint, unit, value, stops, check, disabled, onChange }: AmountProps) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const wrong = draft === null ? null : problem(draft, check);
  const place = nearest(stops, value);
  const filled = { '--filled': `${(100 * place) / Math.max(1, stops.length - 1)}%` } as CSSProperties;

  const type = (text: string) => {
    setDraft(text);
    if (problem(text, check) === null) onChange(typed(text));
  };

  return (
    <div className="amount" title={hint}>
      <label className="amount-name" htmlFor={id}>
        {label}
        {unit && <span className="amount-unit">{unit}</span>}
      </label>
      <span className="amount-value">
        <input
          id={id}
          className="number"
          inputMode="decimal"
          autoComplete="off"
          value={draft ?? String(value)}
          disabled={disabled}
          aria-invalid={wrong !== null}
          aria-describedby={wrong === null ? undefined : `${id}-wrong`}
          onChange={(event) => type(event.target.value)}
          onBlur={() => setDraft(null)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') setDraft(null);
          }}
        />
      </span>
      <input
        className="slider"
        type="range"
        style={filled}
        min={0}
        max={stops.length - 1}
        step={1}
        value={place}
        disabled={disabled}
        aria-label={label}
        aria-valuetext={unit ? `${value} ${unit}` : String(value)}
        onChange={(event) => {
          setDraft(null);
          onChange(stops[Number(event.target.value)]!);
        }}
      />
      {wrong !== null && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}

function problem(text: string, check: (value: number) => string | null): string | null {
  return check(typed(text));
}

function nearest(stops: readonly number[], value: number): number {
  let best = 0;
  for (const [i, stop] of stops.entries())
    if (Math.abs(stop - value) < Math.abs(stops[best]! - value)) best = i;
  return best;
}
