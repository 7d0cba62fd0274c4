/** What the Hydra config beside a published checkpoint says (facts/nanowm.md section 2). */
import { invalid, unknown } from '../errors.ts';
import { parseInjection } from './injections.ts';
import type { Injection } from './injections.ts';

export const NOISE_SCHEDULES = ['linear', 'squaredcos_cap_v2'] as const;
export const PREDICTIONS = ['v', 'epsilon', 'x', 'flow'] as const;

/** A field is null where the config does not say it, or says it by an unresolved `${...}`. */
export interface HydraFacts {
  /** A standard size, such as `NanoWM-B/2`. */
  readonly arch: string | null;
  readonly injection: Injection | null;
  readonly causal: boolean | null;
  readonly frames: number | null;
  readonly contextFrames: number | null;
  readonly imageSize: number | null;
  /** Side of the latents, and their channels. */
  readonly latentSize: number | null;
  readonly latentChannels: number | null;
  /** What the latents are made by: `sd_vae`, `webdino`, `vjepa2_1`, `pixel`. */
  readonly codec: string | null;
  readonly schedulingMode: string | null;
  readonly samplingSteps: number | null;
  readonly dataset: string | null;
  readonly frameInterval: number | null;
  /** Width of one recorded action; the network takes `frameInterval` of them a frame. */
  readonly actionDim: number | null;
  readonly normaliseAction: boolean | null;
  readonly resizeMode: string | null;
  readonly noiseSchedule: (typeof NOISE_SCHEDULES)[number] | null;
  readonly diffusionSteps: number | null;
  readonly prediction: (typeof PREDICTIONS)[number] | null;
  readonly zeroTerminalSnr: boolean | null;
  readonly stabilisation: number | null;
}

/**
 * Reads the parsed YAML document.
 *
 * @throws when it names an injection, schedule or prediction that nobody here knows, or holds text where
 * the mathematics needs a number or a truth value.
 */
export function configFromHydra(document: unknown): HydraFacts {
  const at = (path: string): unknown => follow(document, path.split('.').reduce(step, document));
  const number = (path: string) => asNumber(at(path));
  const boolean = (path: string) => asBoolean(at(path));
  /** Where another kind of value must not pass for none: it would change the mathematics. */
  const sure = <T>(path: string, read: (value: unknown) => T | null, wanted: string): T | null => {
    const value = at(path) ?? null;
    const found = read(value);
    if (found !== null || value === null || (typeof value === 'string' && value.includes('${'))) return found;
    throw invalid(`${path} in the config`, value, `give ${wanted}`);
  };
  const string = (path: string) => asString(at(path));
  const injection = string('model.action_injection.type');
  return {
    arch: string('model.arch'),
    injection: injection === null ? null : parseInjection(injection),
    causal: sure('model.causal', asBoolean, 'true or false'),
    frames: number('model.num_frames'),
    contextFrames: number('model.n_context_frames'),
    imageSize: number('model.image_size'),
    latentSize: number('model.latent_size'),
    latentChannels: number('model.latent_channels'),
    codec: string('latent_codec.kind') ?? string('latent_codec.name'),
    schedulingMode: string('model.scheduling_mode'),
    samplingSteps: number('model.num_sampling_steps'),
    dataset: string('dataset.name'),
    frameInterval: number('dataset.frame_interval'),
    actionDim: number('dataset.spec.action_dim'),
    normaliseAction: boolean('dataset.loader.normalize_action'),
    resizeMode: string('dataset.loader.resize_mode'),
    noiseSchedule: oneOf('noise schedule', string('experiment.diffusion.noise_schedule'), NOISE_SCHEDULES),
    diffusionSteps: sure('experiment.diffusion.diffusion_steps', asNumber, 'a number'),
    prediction: oneOf('prediction type', string('experiment.diffusion.pred_name'), PREDICTIONS),
    zeroTerminalSnr: sure('experiment.diffusion.zero_terminal_snr', asBoolean, 'true or false'),
    stabilisation: sure('experiment.diffusion.history_stabilization_level', asNumber, 'a number'),
  };
}

function step(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** References of references end somewhere; one that refers to itself must too. */
const MOST_STEPS = 8;

/** What `${model.latent_size}` stands for where the document itself says it; other values as they are. */
function follow(document: unknown, value: unknown): unknown {
  let found = value;
  for (let i = 0; i < MOST_STEPS; i++) {
    const path = typeof found === 'string' ? /^\$\{([\w.]+)\}$/.exec(found)?.[1] : undefined;
    const next = path?.split('.').reduce(step, document);
    if (next === undefined || next === null) break;
    found = next;
  }
  return found;
}

function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function asBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function asString(value: unknown): string | null {
  return typeof value === 'string' && !value.includes('${') ? value : null;
}

function oneOf<T extends string>(noun: string, value: string | null, known: readonly T[]): T | null {
  if (value === null) return null;
  const found = known.find((candidate) => candidate === value);
  if (found === undefined) throw unknown(noun, value, `use ${known.join(', ')}`);
  return found;
}
