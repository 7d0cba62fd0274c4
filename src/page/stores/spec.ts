/** From the page's settings to the RunSpec that a worker takes, and back. */
import type { Manifest } from '../../../models/bundle/manifest.ts';
import { parseSpec } from '../../../models/run.ts';
import type { RunSpec } from '../../../models/run.ts';
import { MODES } from './settings.ts';
import type { Mode, Settings } from './settings.ts';

/** @throws one sentence that names the setting that this bundle does not take. */
export function specOf(settings: Settings, manifest: Manifest): RunSpec {
  const { clip, horizon, mode, lag, steps, eta, stabilisation, seed, backend } = settings;
  const sampler = { mode, ...(mode === 'lag' ? { lag } : {}), steps, eta, stabilisation };
  return parseSpec({ clip, horizon, seed, backend, sampler }, manifest, clip);
}

/** What a spec says in the page's terms; what it does not say (a backend of Node, a painted matrix) becomes the fallback's. */
export function settingsOf(spec: RunSpec, fallback: Settings): Settings {
  const { sampler, backend } = spec;
  const known = (MODES as readonly string[]).includes(sampler.mode);
  return {
    bundle: spec.bundle,
    clip: spec.clip === '' ? fallback.clip : spec.clip,
    horizon: spec.horizon,
    mode: known ? (sampler.mode as Mode) : fallback.mode,
    lag: sampler.lag ?? fallback.lag,
    steps: sampler.steps,
    stabilisation: sampler.stabilisation,
    eta: sampler.eta,
    seed: spec.seed,
    backend: backend === 'node' ? fallback.backend : backend,
  };
}
