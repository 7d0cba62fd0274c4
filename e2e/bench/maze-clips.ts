/** The maze's 64 test episodes (seed 3), never trained on, simulated anew; and what one rollout of each measures. */
import type { Clip } from '../../models/clip.ts';
import { measureFrames } from '../../models/metrics/measure.ts';
import { rollout } from '../../models/rollout.ts';
import { parseSpec } from '../../models/run.ts';
import { SEEDS, makeEpisode } from '../../models/worlds/maze/episode.ts';
import { mazeClip } from '../../models/worlds/maze/clip.ts';
import { ballErrors } from '../../src/cli/maze/ball-errors.ts';
import type { NodeBundle } from '../../workers/node/bundle.ts';
import { createMaze } from '../../workers/mujoco/simulator.ts';
import { mujocoInNode } from '../../workers/node/mujoco.ts';

/** Frames of an episode: one of context, three to predict. */
const FRAMES = 4;
/** A ball that travels less than this (maze units) between context and last frame stands still. */
const MOVES = 0.05;

export interface ClipScore {
  /** Against the reconstruction: mean over the predicted frames. */
  readonly psnr: number;
  readonly ssim: number;
  /** Maze units, one entry per predicted frame; Infinity when no ball is found. */
  readonly ball: readonly number[];
}

export interface Trial {
  readonly moves: boolean;
  readonly model: ClipScore;
  /** The last context frame, repeated. */
  readonly copy: ClipScore;
  /** Autoencoder alone against pixels: PSNR in dB of every frame. */
  readonly autoencoder: readonly number[];
  readonly networkCalls: number;
}

export async function testClips(count: number, size: number): Promise<Clip[]> {
  const simulator = createMaze(await mujocoInNode(), 'umaze');
  const clips = Array.from({ length: count }, (_, index) =>
    mazeClip(
      makeEpisode(simulator, { seed: SEEDS.test, index, frames: FRAMES }),
      size,
      `umaze test episode ${String(index)}`,
    ),
  );
  simulator.dispose();
  return clips;
}

/** Runs `sampler` (fields of a RunSpec's sampler) on one clip. */
export async function trial(
  bundle: NodeBundle,
  clip: Clip,
  sampler: Readonly<Record<string, unknown>>,
): Promise<Trial> {
  const spec = parseSpec({ sampler, seed: 42 }, bundle.manifest);
  const result = await rollout({ ...bundle, spec, clip, clock: () => performance.now() / 1000 });
  const { frames, reconstruction, frameShape } = result;
  if (!frames || !reconstruction || !frameShape || !clip.pixels)
    throw new Error('the maze bundle must hold a codec');
  const [length, height, width] = frameShape;
  const one = height * width * 3;
  const still = new Uint8Array(one * (length - 1));
  for (let frame = 0; frame < length - 1; frame++) still.set(reconstruction.subarray(0, one), frame * one);
  const balls = ballErrors(result, clip)!;
  const score = (predicted: Uint8Array, ball: readonly number[]): ClipScore => {
    const measures = measureFrames(predicted, reconstruction.subarray(one), height, width);
    return { psnr: mean(measures.map((m) => m.psnr)), ssim: mean(measures.map((m) => m.ssim)), ball };
  };
  return {
    moves: balls.some((ball) => ball.copied > MOVES),
    model: score(
      frames.subarray(one),
      balls.map((ball) => ball.predicted ?? Infinity),
    ),
    copy: score(
      still,
      balls.map((ball) => ball.copied),
    ),
    autoencoder: measureFrames(reconstruction, clip.pixels.data, height, width).map((m) => m.psnr),
    networkCalls: result.networkCalls,
  };
}

/** Better than copying in PSNR, SSIM and mean ball error. */
export function beatsCopy({ model, copy }: Trial): boolean {
  return model.psnr > copy.psnr && model.ssim > copy.ssim && mean(model.ball) < mean(copy.ball);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
