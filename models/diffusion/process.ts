/** The noise process of a model with S steps: diffusion or flow behind one set of functions. */
import { ddimStep } from './ddim.ts';
import { FLOW_TIMESTEPS, flowClean, flowNoised, flowStep, flowTimestepMap } from './flow.ts';
import { alphaBars } from './noise-schedule.ts';
import type { NoiseSchedule } from './noise-schedule.ts';
import { cleanEstimate, combine, factorsOf } from './predictions.ts';
import type { DiffusionPrediction, Prediction } from './predictions.ts';
import { timestepMap } from './respacing.ts';
import { stabilisedStep } from './stabilisation.ts';

export interface ProcessSpec extends NoiseSchedule {
  readonly prediction: Prediction;
}

/** A level that a context frame is held at. */
export interface ContextLevel {
  /** Level index; null in flow, where the level lies between the indices. */
  readonly level: number | null;
  readonly timestep: number;
}

/** Functions over one frame (or several at one level): arrays of equal length, none is written to. */
export interface NoiseProcess {
  readonly steps: number;
  /** Base timestep of level indices 0..S; -1 for clean. */
  readonly timesteps: readonly number[];
  /** alpha-bar of the S kept steps; null in flow. */
  readonly alphaBars: readonly number[] | null;
  /** The level that stabilisation h means, or null when h is 0. */
  contextLevel(stabilisation: number): ContextLevel | null;
  /** A clean frame with noise added, at a base timestep of this process. */
  noised(at: ContextLevel, x0: Float32Array, noise: Float32Array): Float32Array;
  /** The clean frame that the output predicts at a level above 0. */
  clean(level: number, x: Float32Array, output: Float32Array): Float32Array;
  /** The frame at level `to`, below `from`. */
  step(
    from: number,
    to: number,
    eta: number,
    x: Float32Array,
    output: Float32Array,
    noise: Float32Array | null,
  ): Float32Array;
}

/** @throws one sentence for steps that the process does not have. */
export function noiseProcess(spec: ProcessSpec, steps: number): NoiseProcess {
  const { prediction } = spec;
  return prediction === 'flow' ? flowProcess(steps) : diffusionProcess(spec, prediction, steps);
}

function diffusionProcess(spec: NoiseSchedule, prediction: DiffusionPrediction, steps: number): NoiseProcess {
  const map = timestepMap(spec.steps, steps);
  const all = alphaBars(spec);
  // Index 0 is clean, so that level indices need no shift.
  const bars = [1, ...map.map((timestep) => all[timestep])];
  const factors = bars.map(factorsOf);
  return {
    steps,
    timesteps: [-1, ...map],
    alphaBars: bars.slice(1),
    contextLevel: (stabilisation) => {
      const step = stabilisedStep(stabilisation, steps);
      return step === null ? null : { level: step + 1, timestep: map[step] };
    },
    noised: ({ level }, x0, noise) => combine(factors[level!].signal, x0, factors[level!].noise, noise),
    clean: (level, x, output) => cleanEstimate(prediction, factors[level], x, output),
    step: (from, to, eta, x, output, noise) => {
      const x0 = cleanEstimate(prediction, factors[from], x, output);
      const step = { factors: factors[from], alphaBar: bars[from], nextAlphaBar: bars[to], eta };
      return ddimStep(step, x, x0, noise);
    },
  };
}

function flowProcess(steps: number): NoiseProcess {
  const map = flowTimestepMap(steps);
  return {
    steps,
    timesteps: map,
    alphaBars: null,
    contextLevel: (stabilisation) => {
      const timestep = stabilisedStep(stabilisation, FLOW_TIMESTEPS);
      return timestep === null ? null : { level: null, timestep };
    },
    noised: ({ timestep }, x0, noise) => flowNoised(timestep, x0, noise),
    clean: (level, x, output) => flowClean(map[level], x, output),
    step: (from, to, _eta, x, output) => flowStep(map[from], map[to], x, output),
  };
}
