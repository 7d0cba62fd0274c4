import { useId } from 'react';
import type { ReactNode } from 'react';

export interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
  readonly disabled?: boolean;
  readonly picture?: ReactNode;
}

interface ChoiceProps<T extends string> {
  /** Name of the group, spoken; the caller shows it where the layout has room. */
  readonly label: string;
  readonly options: readonly Option<T>[];
  readonly value: T;
  readonly className?: string;
  readonly onChange: (value: T) => void;
}

/** One of a few: radio buttons underneath, so that arrows and screen readers work as everywhere. */
export function Choice<T extends string>({ label, options, value, className, onChange }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className={className ?? 'choice'}>
      <legend className="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option.value} title={option.hint}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          {option.picture}
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
