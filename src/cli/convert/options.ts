/** Options of `convert`, and what they answer. */
import { MODES, WORDS, WORLDS } from '../../../models/bundle/questions.ts';
import type { Answers, Question, QuestionField } from '../../../models/bundle/questions.ts';
import { invalid } from '../../../models/errors.ts';
import { NOISE_SCHEDULES, PREDICTIONS } from '../../../models/nanowm/hydra.ts';
import { INJECTIONS } from '../../../models/nanowm/injections.ts';
import { STORAGES } from '../../../models/onnx/storage.ts';
import type { Arguments, Option } from '../command.ts';

/** What the bundle says of itself; `bundle` and `convert` share these. */
export const ABOUT: Readonly<Record<string, Option>> = {
  out: { type: 'string', value: 'DIR', help: 'folder to write' },
  dtype: { type: 'string', value: STORAGES.join('|'), help: 'how weights are stored (default fp16)' },
  id: { type: 'string', value: 'ID', help: 'id of the bundle (default: the name of the folder)' },
  title: { type: 'string', value: 'TEXT', help: 'title (default: the id)' },
  source: { type: 'string', value: 'TEXT', help: 'where the weights come from' },
  licence: { type: 'string', value: 'TEXT', help: 'licence of the weights' },
  world: { type: 'string', value: WORLDS.join('|'), help: 'whose actions and frames these are' },
  actions: {
    type: 'string',
    value: 'F.json',
    help: 'action_mean and action_std of one environment step (default: actions.json beside the weights)',
  },
  mode: { type: 'string', value: MODES.join('|'), help: 'schedule that runs start with' },
  steps: { type: 'string', value: 'S', help: 'denoising steps that runs start with' },
  fps: { type: 'string', value: 'N', help: 'model frames a second (default 8)' },
};

/** What a config says, for checkpoints that come without one or with a wrong one. */
export const ANSWERS: Readonly<Record<string, Option>> = {
  injection: { type: 'string', value: INJECTIONS.join('|'), help: 'how actions reach the frames' },
  causal: { type: 'string', value: 'true|false', help: 'whether a frame sees earlier frames only' },
  prediction: { type: 'string', value: PREDICTIONS.join('|'), help: 'what the network predicts' },
  'noise-schedule': { type: 'string', value: NOISE_SCHEDULES.join('|'), help: 'schedule of the training' },
  'zero-terminal-snr': { type: 'string', value: 'true|false', help: 'whether the last level is pure noise' },
  'action-dim': { type: 'string', value: 'N', help: 'width of the action of one environment step' },
  'frame-interval': {
    type: 'string',
    value: 'N',
    help: 'environment steps of a frame, instead of --action-dim',
  },
  context: { type: 'string', value: 'N', help: 'frames that are given' },
  stabilisation: { type: 'string', value: 'h', help: 'level of the context, 0 (clean) to below 1' },
};

const OPTION_OF: Readonly<Record<QuestionField, string>> = {
  injection: 'injection',
  causal: 'causal',
  prediction: 'prediction',
  noiseSchedule: 'noise-schedule',
  zeroTerminalSnr: 'zero-terminal-snr',
  actionDim: 'action-dim',
  context: 'context',
  world: 'world',
};

/** @param world what is taken when the command line does not say it; undefined leaves it to the config */
export function answersOf(args: Arguments, world?: Answers['world']): Answers {
  const stabilisation = args.number('stabilisation');
  if (stabilisation !== undefined && (stabilisation < 0 || stabilisation > 0.999))
    throw invalid('--stabilisation', stabilisation, 'give a number from 0 to 0.999');
  return {
    injection: args.choice('injection', INJECTIONS),
    causal: args.truth('causal'),
    prediction: args.choice('prediction', PREDICTIONS),
    noiseSchedule: args.choice('noise-schedule', NOISE_SCHEDULES),
    zeroTerminalSnr: args.truth('zero-terminal-snr'),
    actionDim: args.whole('action-dim', 1, 65536),
    frameInterval: args.whole('frame-interval', 1, 1000),
    context: args.whole('context', 1, 4095),
    world: args.choice('world', WORLDS) ?? world,
    stabilisation,
    mode: args.choice('mode', MODES),
    steps: args.whole('steps', 1, 1000),
  };
}

/** A question as JSON, with the option that answers it. */
export function withOption(question: Question) {
  return { ...question, option: `--${OPTION_OF[question.field]}` };
}

/** A question for a person. */
export function inWords(question: Question): string {
  const { field, default: value, why } = question;
  return `Not known: ${WORDS[field]}; ${String(value)} is used (--${OPTION_OF[field]} changes it). ${why}`;
}
