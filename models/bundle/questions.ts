/** What neither weights nor config say about a NanoWM: asked for, each with its default. */
import type { NOISE_SCHEDULES, PREDICTIONS } from '../nanowm/hydra.ts';
import type { INJECTIONS } from '../nanowm/injections.ts';
import type { Manifest } from './manifest.ts';

export const WORLDS = ['maze', 'csgo', 'arena', 'programs', 'other'] as const;
export const MODES = ['full_sequence', 'pyramid', 'sequential'] as const;

/** What a person said: it goes before the config, but not before the weights. */
export interface Answers {
  readonly injection?: (typeof INJECTIONS)[number] | undefined;
  readonly causal?: boolean | undefined;
  readonly prediction?: (typeof PREDICTIONS)[number] | undefined;
  readonly noiseSchedule?: (typeof NOISE_SCHEDULES)[number] | undefined;
  readonly zeroTerminalSnr?: boolean | undefined;
  /** Width of one environment step's action. */
  readonly actionDim?: number | undefined;
  /** Environment steps of one frame: says the same, the other way round. */
  readonly frameInterval?: number | undefined;
  /** Frames that are given. */
  readonly context?: number | undefined;
  readonly world?: Manifest['world'] | undefined;
  /** Settings of a run rather than facts of the model: never asked for. */
  readonly stabilisation?: number | undefined;
  readonly mode?: (typeof MODES)[number] | undefined;
  readonly steps?: number | undefined;
}

export type QuestionField = Exclude<keyof Answers, 'frameInterval' | 'stabilisation' | 'mode' | 'steps'>;

export interface Question {
  readonly field: QuestionField;
  /** What is used while nobody answers. */
  readonly default: string | number | boolean;
  /** Why it had to be asked: a sentence. */
  readonly why: string;
}

/** Words of a person and of a config, and what was asked in their absence. */
export interface Asking {
  readonly questions: Question[];
  readonly notes: string[];
  readonly answers: Answers;
}

/**
 * The answer, else what the config says, else the default, which becomes a question.
 * @param why a sentence that says why nothing else tells it
 */
export function settle<F extends QuestionField>(
  { questions, notes, answers }: Asking,
  field: F,
  said: NonNullable<Answers[F]> | null,
  fallback: NonNullable<Answers[F]>,
  why: string,
): NonNullable<Answers[F]> {
  const answer = answers[field];
  if (answer !== undefined) {
    if (said !== null && said !== answer)
      notes.push(`The config says ${WORDS[field]} ${said}; you say ${answer}, and this is used.`);
    return answer as NonNullable<Answers[F]>;
  }
  if (said !== null) return said;
  questions.push({ field, default: fallback, why });
  return fallback;
}

/** What a field is called in a sentence. */
export const WORDS: Readonly<Record<QuestionField, string>> = {
  injection: 'action injection',
  causal: 'causal',
  prediction: 'prediction',
  noiseSchedule: 'noise schedule',
  zeroTerminalSnr: 'zero terminal SNR',
  actionDim: 'width of one action',
  context: 'context frames',
  world: 'world',
};
