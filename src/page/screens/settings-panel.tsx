import { useState } from 'react';
import { BACKENDS, LIMITS, STOPS, horizonStops, lagStops } from '../stores/limits.ts';
import { MODES, lagOf } from '../stores/settings.ts';
import type { Mode } from '../stores/settings.ts';
import { Amount } from '../ui/amount.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { ModeGlyph } from '../ui/mode-glyph.tsx';
import { typed } from '../ui/typed.ts';
import { words } from '../words.ts';
import { useApp, useFrom } from './use-app.ts';

/** Lags of the little drawings, of three levels each: what tells the modes apart, not their exact shape. */
const GLYPH_LAGS: Record<Mode, number> = { full_sequence: 0, pyramid: 1, sequential: 3, lag: 2 };

/** Everything about the run that is wanted. */
export function SettingsPanel() {
  const app = useApp();
  const settings = useFrom(app.settings.store, (state) => state.present);
  const { frames, context } = useFrom(app.bundle, ({ window }) => window);
  const clipLength = useFrom(app.scene, (scene) => scene.pixels?.count ?? 0);
  const { change } = app.settings;
  const horizons = horizonStops(context, frames, clipLength);
  return (
    <section className="settings" aria-label={words.settings}>
      <div className="group">
        <h2>{words.schedule}</h2>
        <Choice<Mode>
          className="choice choice-tiles"
          label={words.schedule}
          value={settings.mode}
          options={MODES.map((mode) => ({
            value: mode,
            label: words.modeNames[mode],
            hint: words.modeHints[mode],
            picture: <ModeGlyph lag={GLYPH_LAGS[mode]} />,
          }))}
          onChange={(mode) => change({ mode })}
        />
        <Amount
          label={words.lag}
          hint={words.lagHint}
          unit={words.rowsUnit}
          value={lagOf(settings)}
          stops={lagStops(settings.steps)}
          check={LIMITS.lag}
          onChange={(lag) => change({ mode: 'lag', lag })}
        />
        <Amount
          label={words.steps}
          hint={words.stepsHint}
          value={settings.steps}
          stops={STOPS.steps}
          check={LIMITS.steps}
          onChange={(steps) => change({ steps })}
        />
        {horizons.length > 1 && (
          <Amount
            label={words.horizon}
            hint={words.horizonHint}
            value={settings.horizon - context}
            stops={horizons}
            check={LIMITS.horizon(horizons.at(-1)!)}
            onChange={(count) => change({ horizon: count + context })}
          />
        )}
      </div>
      <div className="group">
        <h2>{words.sampler}</h2>
        <Amount
          label={words.stabilisation}
          hint={words.stabilisationHint}
          value={settings.stabilisation}
          stops={STOPS.stabilisation}
          check={LIMITS.stabilisation}
          onChange={(stabilisation) => change({ stabilisation })}
        />
        <Amount
          label={words.eta}
          hint={words.etaHint}
          value={settings.eta}
          stops={STOPS.eta}
          check={LIMITS.eta}
          onChange={(eta) => change({ eta })}
        />
        <SeedField />
      </div>
      <div className="group">
        <div className="field" title={words.backendHint}>
          <span>{words.device}</span>
          <Choice
            label={words.device}
            value={settings.backend}
            options={BACKENDS.map((value) => ({ value, label: words.backends[value] }))}
            onChange={(backend) => change({ backend })}
          />
        </div>
      </div>
    </section>
  );
}

function SeedField() {
  const app = useApp();
  const seed = useFrom(app.settings.store, (state) => state.present.seed);
  const [draft, setDraft] = useState<string | null>(null);
  const wrong = draft === null ? null : LIMITS.seed(typed(draft));
  return (
    <div className="field" title={words.seedHint}>
      <label htmlFor="seed">{words.seed}</label>
      <span className="field-end">
        <input
          id="seed"
          className="number number-wide"
          inputMode="numeric"
          autoComplete="off"
          value={draft ?? seed}
          aria-invalid={wrong !== null}
          aria-describedby={wrong === null ? undefined : 'seed-wrong'}
          onChange={({ target }) => {
            setDraft(target.value);
            const value = typed(target.value);
            if (LIMITS.seed(value) === null) app.settings.change({ seed: value });
          }}
          onBlur={() => setDraft(null)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') setDraft(null);
          }}
        />
        <Button kind="quiet" iconOnly icon="dice" label={words.rollDice} keys="D" onPress={app.rollDice} />
      </span>
      {wrong !== null && (
        <p className="wrong" id="seed-wrong" role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}
