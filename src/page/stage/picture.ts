/** Mounts one of the three large pictures on a canvas: its backing is the frame itself, CSS enlarges it by a whole factor. */
import { differenceTable } from '../colour/difference.ts';
import type { CursorStore } from '../stores/cursor.ts';
import { knows, truthOf } from '../stores/scene.ts';
import type { Frames, SceneStore } from '../stores/scene.ts';
import type { ThemeStore } from '../stores/theme.ts';
import type { PictureKind, ViewStore } from '../stores/view.ts';
import { attach } from './attach.ts';
import { fitWhole } from './fit.ts';
import { copyFrame, paintDifference } from './pixels.ts';

export interface PictureStores {
  readonly scene: SceneStore;
  readonly cursor: CursorStore;
  readonly view: ViewStore;
  readonly theme: ThemeStore;
}

/** Pictures take at most this much of the window's height, so that the matrix stays in sight. */
const SHARE_OF_HEIGHT = 0.42;
/** The embedded clips' own. */
const USUAL_SIZE = { width: 64, height: 64 };

/** @param figure the picture's frame, which takes its width; @param stage the row that the three share. */
export function mountPicture(
  canvas: HTMLCanvasElement,
  figure: HTMLElement,
  stage: HTMLElement,
  kind: PictureKind,
  { scene, cursor, view, theme }: PictureStores,
): () => void {
  let table = { key: '', colours: differenceTable('light', 1) };
  const colours = () => {
    const key = `${theme.getState().theme} ${view.getState().gain}`;
    if (table.key !== key) {
      table = { key, colours: differenceTable(theme.getState().theme, view.getState().gain) };
    }
    return table.colours;
  };

  const paint = () => {
    const now = scene.getState();
    const truth = truthOf(now, view.getState().truth);
    const { frame } = cursor.store.getState();
    // Before the first clip the room is kept, so that nothing moves when it comes.
    size(canvas, figure, stage, truth ?? USUAL_SIZE, now.aspect);
    if (!truth) return;
    const pen = canvas.getContext('2d');
    if (!pen) return;
    const image = pen.createImageData(truth.width, truth.height);
    const pixels = truth.width * truth.height;
    const { prediction } = now;
    const there =
      frame < truth.count &&
      (kind === 'truth' || (knows(prediction, frame) && fits(prediction.frames, truth)));
    if (!there) {
      pen.clearRect(0, 0, canvas.width, canvas.height);
      return;
    }
    if (kind === 'truth') copyFrame(truth.data, frame, pixels, image.data);
    else if (kind === 'prediction') copyFrame(prediction!.frames.data, frame, pixels, image.data);
    else paintDifference(truth.data, prediction!.frames.data, frame, pixels, colours(), image.data);
    pen.putImageData(image, 0, 0);
  };

  return attach(paint, [scene, cursor.store, view, theme], stage);
}

function fits(first: Frames, second: Frames): boolean {
  return first.width === second.width && first.height === second.height;
}

function size(
  canvas: HTMLCanvasElement,
  figure: HTMLElement,
  stage: HTMLElement,
  frames: Pick<Frames, 'width' | 'height'>,
  aspect: number | null,
): void {
  if (canvas.width !== frames.width) canvas.width = frames.width;
  if (canvas.height !== frames.height) canvas.height = frames.height;
  const room = {
    width: roomIn(stage),
    height: Math.max(128, window.innerHeight * SHARE_OF_HEIGHT),
  };
  const { width, height } = fitWhole(room, frames, window.devicePixelRatio, aspect);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  figure.style.width = `${width}px`;
}

/** Width for one picture in CSS pixels: a third of the row, or nearly all of it where pictures are swiped through. */
function roomIn(stage: HTMLElement): number {
  const style = getComputedStyle(stage);
  const inside = stage.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const gap = parseFloat(style.columnGap) || 0;
  return style.display === 'flex' ? inside - 2 * gap : (inside - 2 * gap) / 3;
}
