/** How far the ball of a predicted frame is from where MuJoCo put it. */
import type { Clip } from '../../../models/clip.ts';
import type { RunResult } from '../../../models/run.ts';
import { findBall } from '../../../models/worlds/maze/ball.ts';
import { MAZE_NAMES, mazeMap } from '../../../models/worlds/maze/maps.ts';

/** Numbers of a maze state: x, y and their velocities. */
const STATE_WIDTH = 4;

export interface BallError {
  /** Maze units; null when the frame shows no ball. */
  readonly predicted: number | null;
  /** The same for a ball that stays where the last context frame has it. */
  readonly copied: number;
}

/** One entry for each predicted frame whose state is known; null when this is no maze episode. */
export function ballErrors({ frames, frameShape, spec }: RunResult, clip: Clip): BallError[] | null {
  const words = clip.source.split(/\W+/);
  const map = MAZE_NAMES.find((name) => words.includes(name));
  if (!frames || !frameShape || clip.states?.width !== STATE_WIDTH || map === undefined) return null;
  const [, size, across] = frameShape;
  if (size !== across) return null;
  const { data, width } = clip.states;
  const place = (frame: number) => [data[frame * width]!, data[frame * width + 1]!] as const;
  const errors: BallError[] = [];
  const [stillX, stillY] = place(spec.context - 1);
  for (let frame = spec.context; frame < Math.min(spec.horizon, clip.length); frame++) {
    const [x, y] = place(frame);
    const found = findBall(
      frames.subarray(frame * size * size * 3, (frame + 1) * size * size * 3),
      mazeMap(map),
      size,
    );
    errors.push({
      predicted: found && Math.hypot(found.x - x, found.y - y),
      copied: Math.hypot(stillX - x, stillY - y),
    });
  }
  return errors;
}
