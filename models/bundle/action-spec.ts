/** How the action that a network takes is made of environment steps (facts/nanowm.md section 2). */
import * as v from 'valibot';
import { invalid } from '../errors.ts';
import type { NanowmConfig } from '../nanowm/config.ts';
import type { HydraFacts } from '../nanowm/hydra.ts';
import { parseWith } from '../schema.ts';
import type { NanowmPart } from './build.ts';
import type { Manifest } from './manifest.ts';
import { settle } from './questions.ts';
import type { Asking } from './questions.ts';

/** Of one environment step's action. */
export interface ActionStatistics {
  readonly mean: readonly number[];
  readonly std: readonly number[];
}

const numbers = v.array(v.pipe(v.number(), v.finite()));
const statisticsSchema = v.object({ action_mean: numbers, action_std: numbers });

/** What a JSON file of `action_mean` and `action_std` says. @param label names it in a sentence */
export function parseActionStatistics(json: unknown, label: string): ActionStatistics {
  const remedy = `correct ${label}`;
  const { action_mean: mean, action_std: std } = parseWith(
    statisticsSchema,
    json,
    'action statistics',
    remedy,
  );
  if (mean.length === std.length) return { mean, std };
  throw invalid('action statistics', label, `${mean.length} means, ${std.length} deviations; give as many`);
}

/** Pushes of the ball, two numbers each; CSGO's keys and mouse (facts/worlds.md). */
const STEP_WIDTHS: Readonly<Partial<Record<Manifest['world'], number>>> = { maze: 2, csgo: 51 };

/** The environment steps of a frame follow: width of the network's action / width of one. */
export function actionOf(
  given: Asking,
  { actionWidth }: NanowmConfig,
  facts: HydraFacts,
  world: Manifest['world'],
  statistics: ActionStatistics | null,
): NanowmPart['action'] {
  const ofWorld = STEP_WIDTHS[world];
  const divides = (width: number | null | undefined) =>
    Number.isInteger(width) && width! >= 1 && actionWidth % width! === 0;
  const { notes } = given;
  const said = facts.actionDim ?? stepOf(actionWidth, facts.frameInterval) ?? statistics?.mean.length ?? null;
  if (said !== null && !divides(said))
    notes.push(
      `The config says actions ${said} wide; the weights take ${actionWidth}, which is no multiple.`,
    );
  const answer = given.answers.actionDim ?? stepOf(actionWidth, given.answers.frameInterval);
  if (answer !== undefined && !divides(answer)) {
    throw invalid('width of one action', answer, `it must divide the ${actionWidth} that the weights take`);
  }
  const asking = { ...given, answers: { ...given.answers, actionDim: answer } };
  const fallback = divides(ofWorld) ? ofWorld! : actionWidth;
  const why = `The weights take ${actionWidth} numbers a frame, however many environment steps these are.`;
  const perStep = settle(asking, 'actionDim', divides(said) ? said : null, fallback, why);
  const fits = statistics !== null && statistics.mean.length === perStep;
  if (statistics !== null && !fits) {
    throw invalid(
      'action statistics',
      `${statistics.mean.length} numbers`,
      `one action has ${perStep}; give theirs`,
    );
  }
  if (facts.normaliseAction === true && statistics === null)
    notes.push(
      'The config says that actions are normalised, but their mean and deviation are not known: they go in as recorded.',
    );
  const kind = (world === 'maze' || world === 'csgo') && perStep === ofWorld ? world : 'vector';
  return {
    kind,
    perStep,
    mean: statistics ? [...statistics.mean] : null,
    std: statistics ? [...statistics.std] : null,
  };
}

/** Width of one environment step's action, where a frame has `interval` of them. */
function stepOf(actionWidth: number, interval: number | null | undefined): number | undefined {
  return interval === null || interval === undefined ? undefined : actionWidth / interval;
}
