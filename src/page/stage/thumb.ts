/** Mounts one small frame of the strip: the prediction where there is one, else the truth, faded by CSS. */
import { css, levelColour } from '../colour/noise.ts';
import type { LiveStore } from '../stores/live.ts';
import { isBusy } from '../stores/live.ts';
import type { PlanStore } from '../stores/plan.ts';
import { knows, truthOf } from '../stores/scene.ts';
import { attach } from './attach.ts';
import { fitWhole } from './fit.ts';
import type { PictureStores } from './picture.ts';
import { copyFrame } from './pixels.ts';

/**
 * @param button the frame's button: its data attributes say `current`, `empty` and, while a run goes, the
 * custom property `--level` holds the colour of the frame's noise level.
 */
export function mountThumb(
  canvas: HTMLCanvasElement,
  button: HTMLElement,
  frame: number,
  { scene, cursor, view }: Pick<PictureStores, 'scene' | 'cursor' | 'view'>,
  live: LiveStore,
  plan: PlanStore,
): () => void {
  const keep = () => plan.getState().plan?.keep ?? 1;
  const context = () => plan.getState().plan?.context ?? 1;
  const paint = () => {
    const now = scene.getState();
    const known = knows(now.prediction, frame);
    const source = known ? now.prediction.frames : truthOf(now, view.getState().truth);
    button.toggleAttribute('data-empty', !known);
    if (!source || frame >= source.count) return;
    if (canvas.width !== source.width) canvas.width = source.width;
    if (canvas.height !== source.height) canvas.height = source.height;
    const room = { width: button.clientWidth, height: button.clientWidth };
    const fit = fitWhole(room, source, window.devicePixelRatio, now.aspect);
    canvas.style.width = `${fit.width}px`;
    canvas.style.height = `${fit.height}px`;
    const pen = canvas.getContext('2d');
    if (!pen) return;
    const image = pen.createImageData(source.width, source.height);
    copyFrame(source.data, frame, source.width * source.height, image.data);
    pen.putImageData(image, 0, 0);
  };
  const mark = () => {
    const current = cursor.store.getState().frame === frame;
    button.toggleAttribute('data-current', current);
    if (current) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  };
  const level = () => {
    const state = live.getState();
    const steps = state.settings?.steps ?? 0;
    // Column of the window under way in which this frame stands.
    const column = frame - state.window * keep();
    const value = isBusy(state) ? state.levels[column] : undefined;
    const held = isBusy(state) && column >= 0 && column < context();
    button.toggleAttribute('data-held', held);
    if (held || value === undefined || value === null || steps === 0) button.style.removeProperty('--level');
    else button.style.setProperty('--level', css(levelColour(Math.min(value, steps), steps)));
  };
  const stops = [attach(paint, [scene, view], button), attach(mark, [cursor.store]), attach(level, [live])];
  return () => {
    for (const stop of stops) stop();
  };
}
