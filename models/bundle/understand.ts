/**
 * What a checkpoint of a NanoWM is: sizes from the weights, the rest from its config, from the hyperparameters
 * inside a Lightning checkpoint, from a person's answers, or asked for with a default.
 */
import { invalid } from '../errors.ts';
import type { Weights } from '../files/weights.ts';
import { nanowmConfig } from '../nanowm/config.ts';
import type { NanowmConfig } from '../nanowm/config.ts';
import { disagreements } from '../nanowm/disagreements.ts';
import { factsOf } from '../nanowm/document.ts';
import { checkLandmarks, checkNanowm } from '../nanowm/expected.ts';
import type { HydraFacts } from '../nanowm/hydra.ts';
import { openNanowm } from '../nanowm/weights.ts';
import { finiteWeights } from '../onnx/finite.ts';
import { actionOf } from './action-spec.ts';
import type { ActionStatistics } from './action-spec.ts';
import type { NanowmPart } from './build.ts';
import { latentsOf, whyNoPictures } from './latents.ts';
import type { Latents } from './latents.ts';
import type { Manifest } from './manifest.ts';
import { MODES, settle } from './questions.ts';
import type { Answers, Asking, Question } from './questions.ts';

export interface Checkpoint {
  readonly weights: Weights;
  /** The parsed config beside the weights; null when there is none. */
  readonly config: unknown;
  /** Of a Lightning checkpoint; null when there are none. */
  readonly hyperparameters: unknown;
  /** Mean and standard deviation of one environment step's action; null when unknown. */
  readonly statistics?: ActionStatistics | null;
  readonly answers?: Answers;
  /** Bytes of each tensor when it is first read. */
  readonly onRead?: (bytes: number) => void;
}

export interface Understanding {
  /** For buildBundle; its weights are looked at for NaN as they are read. */
  readonly part: NanowmPart;
  readonly architecture: NanowmConfig;
  readonly latents: Latents;
  readonly world: Manifest['world'];
  readonly display: Manifest['display'];
  /** What config and hyperparameters say. */
  readonly facts: HydraFacts;
  /** Sentences: where weights and config disagree, what is left out, what does not work. */
  readonly notes: readonly string[];
  /** What nothing told; their defaults are in `part`. */
  readonly questions: readonly Question[];
}

/**
 * Reads names and shapes only, not the numbers.
 * @throws one sentence: no NanoWM, weights that are missing or misshapen, a config with a word nobody knows, an
 * answer that is impossible
 */
export function understandNanowm(checkpoint: Checkpoint): Understanding {
  const { answers = {}, config, hyperparameters, onRead } = checkpoint;
  const asking: Asking = { answers, questions: [], notes: [] };
  const named = openNanowm(checkpoint.weights);
  checkLandmarks(named);
  const facts = factsOf(config, hyperparameters);
  if (config === null && facts.arch === null && Object.values(facts).every((value) => value === null))
    asking.notes.push('There is no config: what the weights do not tell is taken from the defaults.');
  const architecture = settledArchitecture(asking, named, facts);
  asking.notes.push(...disagreements(architecture, facts), ...checkNanowm(named, architecture));
  const { latents, note } = latentsOf(facts.codec, architecture.channels);
  asking.notes.push(...[note, whyNoPictures(latents)].filter((each) => each !== null));
  const world = settledWorld(asking, architecture, facts);
  const part: NanowmPart = {
    weights: finiteWeights(checkpoint.weights, onRead),
    facts: { ...facts, injection: architecture.injection, causal: architecture.causal },
    latents,
    context: settledContext(asking, architecture, facts),
    stabilisation: answers.stabilisation ?? facts.stabilisation ?? 0.02,
    sampling: {
      mode: answers.mode ?? MODES.find((mode) => mode === facts.schedulingMode) ?? 'sequential',
      steps: answers.steps ?? facts.samplingSteps ?? 50,
    },
    diffusion: settledDiffusion(asking, facts),
    action: actionOf(asking, architecture, facts, world, checkpoint.statistics ?? null),
  };
  const { notes, questions } = asking;
  const display = { aspect: world === 'csgo' ? CSGO_ASPECT : 1, fps: 8 };
  return { part, architecture, latents, world, display, facts, notes, questions };
}

/** Its frames are stretched to a square and shown at 280 : 150 (facts/worlds.md). */
const CSGO_ASPECT = 280 / 150;

function settledArchitecture(
  asking: Asking,
  weights: ReturnType<typeof openNanowm>,
  facts: HydraFacts,
): NanowmConfig {
  const byWeights = nanowmConfig(weights, { injection: null });
  // The others have weights of their own, which say it.
  const twins = ['additive', 'adaln_fuse'] as const;
  const open = twins.some((twin) => twin === byWeights.injection);
  const said = twins.find((twin) => twin === facts.injection) ?? null;
  const why = 'Additive and adaln_fuse have the same weights, so only a config can tell them apart.';
  const injection = open ? settle(asking, 'injection', said, 'additive', why) : byWeights.injection;
  const wanted = asking.answers.injection;
  if (wanted !== undefined && (!open || !twins.some((twin) => twin === wanted)))
    asking.notes.push(...(wanted === byWeights.injection ? [] : [notOfWeights(wanted, byWeights.injection)]));
  const causal = settle(asking, 'causal', facts.causal, true, 'The weights of both kinds look the same.');
  return nanowmConfig(weights, { injection, causal });
}

function notOfWeights(wanted: string, found: string): string {
  return `You say that actions are injected by ${wanted}; the weights are those of ${found}, which is used.`;
}

function settledDiffusion(asking: Asking, facts: HydraFacts): NanowmPart['diffusion'] {
  const why = 'It is a choice of the training that leaves no trace in the weights.';
  const prediction = settle(asking, 'prediction', facts.prediction, 'v', why);
  const { noiseSchedule: schedule, zeroTerminalSnr: zero, diffusionSteps } = facts;
  const rest = { steps: diffusionSteps ?? 1000, prediction };
  // Flow has a time of its own: schedule and SNR say nothing there.
  if (prediction === 'flow')
    return { ...rest, schedule: schedule ?? 'squaredcos_cap_v2', zeroTerminalSnr: zero ?? true };
  return {
    ...rest,
    schedule: settle(asking, 'noiseSchedule', schedule, 'squaredcos_cap_v2', why),
    zeroTerminalSnr: settle(asking, 'zeroTerminalSnr', zero, true, why),
  };
}

function settledWorld(asking: Asking, { actionWidth }: NanowmConfig, facts: HydraFacts): Manifest['world'] {
  const guess = actionWidth === CSGO_ACTIONS ? 'csgo' : 'other';
  const why = `Only the config names the data set; actions of ${actionWidth} numbers ${guess === 'csgo' ? "are CSGO's" : 'fit several worlds'}.`;
  return settle(asking, 'world', facts.dataset === null ? null : worldOf(facts.dataset), guess, why);
}

/** Keys, clicks and mouse, one-hot (facts/worlds.md). */
const CSGO_ACTIONS = 51;

function worldOf(dataset: string): Manifest['world'] {
  if (/^csgo/i.test(dataset)) return 'csgo';
  return /maze/i.test(dataset) ? 'maze' : 'other';
}

function settledContext(asking: Asking, { frames }: NanowmConfig, facts: HydraFacts): number {
  const { contextFrames: said } = facts;
  const most = frames - 1;
  const { context: answer } = asking.answers;
  if (answer !== undefined && answer > most)
    throw invalid('context frames', answer, `a window of ${frames} has at most ${most}`);
  const fits = said !== null && said >= 1 && said <= most;
  if (said !== null && !fits)
    asking.notes.push(`The config says ${said} context frames; a window of ${frames} has at most ${most}.`);
  // The published models: 1 of 4 frames, 4 of 16.
  const fallback = Math.max(1, Math.floor(frames / 4));
  return settle(
    asking,
    'context',
    fits ? said : null,
    fallback,
    'How many frames are given is a choice of the run.',
  );
}
