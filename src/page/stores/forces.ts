/** What the maze's actions mean to the eye: the mean force on the ball on the way to a frame. */
import type { ClipActions } from '../../../models/clip.ts';

/** A force has two parts, each from -1 to 1: to the right and up in the picture. */
export interface Force {
  readonly right: number;
  readonly up: number;
}

/**
 * Mean force from frame - 1 to frame: a row of actions holds those applied after its own frame, x and y in turn
 * (facts/worlds.md section 1). Null for the first frame, past the last row, and for actions that are not forces.
 */
export function forceBefore({ data, rows, width, scale }: ClipActions, frame: number): Force | null {
  const row = frame - 1;
  if (row < 0 || row >= rows || width % 2 !== 0 || scale !== 'recorded') return null;
  let [right, up] = [0, 0];
  for (let i = row * width; i < (row + 1) * width; i += 2) {
    right += data[i]!;
    up += data[i + 1]!;
  }
  const steps = width / 2;
  return { right: right / steps, up: up / steps };
}
