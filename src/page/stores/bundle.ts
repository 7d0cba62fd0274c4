/** What the page knows of the model before any weights: its manifest, fetched alone. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import { parseManifest, requireDenoiser } from '../../../models/bundle/manifest.ts';
import type { Manifest } from '../../../models/bundle/manifest.ts';
import { defaultSpec } from '../../../models/run.ts';
import { settingsOf } from './spec.ts';
import type { Settings } from './settings.ts';

export interface Bundle {
  readonly status: 'loading' | 'ready' | 'failed';
  /** What is loaded, or being loaded. */
  readonly name: string;
  readonly manifest: Manifest | null;
  /** What a run does when nothing is asked; the page's own guess until the manifest is there. */
  readonly defaults: Settings;
  /** Frames of a window, and how many of them are given. */
  readonly window: { readonly frames: number; readonly context: number };
  readonly failure: string | null;
}

export type BundleStore = StoreApi<Bundle>;

/** The embedded model's own values, so that nothing moves on the page when its manifest arrives. */
export const FIRST_DEFAULTS: Settings = {
  bundle: 'maze',
  clip: 'maze-01',
  horizon: 4,
  mode: 'sequential',
  lag: 4,
  steps: 8,
  stabilisation: 0.02,
  eta: 0,
  seed: 42,
  backend: 'auto',
};

export function createBundle(): BundleStore {
  return createStore<Bundle>(() => ({
    status: 'loading',
    name: FIRST_DEFAULTS.bundle,
    manifest: null,
    defaults: FIRST_DEFAULTS,
    window: { frames: 4, context: 1 },
    failure: null,
  }));
}

/**
 * @param name what the page calls the bundle: a local one has `local:` before its id
 * @throws one sentence that names the field, when the manifest is wrong or holds no world model.
 */
export function bundleOf(json: unknown, before: Settings, name: string): Bundle {
  const manifest = parseManifest(json);
  const { denoiser } = requireDenoiser(manifest);
  return {
    status: 'ready',
    name,
    manifest,
    defaults: { ...settingsOf(defaultSpec(manifest), before), bundle: name },
    window: { frames: denoiser.architecture.frames, context: denoiser.context },
    failure: null,
  };
}
