/** One listener for the keys of the page (words/keys.ts lists them). Controls keep the keys that are theirs. */
import { useEffect } from 'react';
import { toCsv } from '../chart/series.ts';
import type { App } from '../stores/app.ts';
import { isBusy } from '../stores/live.ts';
import { runsOfClip } from '../stores/runs.ts';
import { MODES } from '../stores/settings.ts';

export function useKeyboard(app: App): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      if (act(app, event)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [app]);
}

/** True when the key was ours. */
function act(app: App, event: KeyboardEvent): boolean {
  const { key } = event;
  const dialog = document.querySelector('dialog[open]') !== null;
  if (event.ctrlKey || event.metaKey) {
    if (isTyping(event.target) || key.toLowerCase() !== 'z') return false;
    (event.shiftKey ? app.settings.redo : app.settings.undo)();
    return true;
  }
  // An open sheet closes itself by Esc; other keys wait until it is gone.
  if (dialog) return false;
  if (key === 'Escape') {
    const busy = isBusy(app.live.getState());
    if (busy) app.cancel();
    return busy;
  }
  if (isTyping(event.target) || usesKey(event.target, key)) return false;
  const action = actions(app)[key.length === 1 ? key.toLowerCase() : key];
  action?.();
  return action !== undefined;
}

function actions(app: App): Readonly<Record<string, () => void>> {
  const { cursor, view, settings } = app;
  const modes = Object.fromEntries(MODES.map((mode, i) => [String(i + 1), () => settings.change({ mode })]));
  return {
    ...modes,
    ' ': cursor.toggle,
    ArrowLeft: () => cursor.step(-1),
    ArrowRight: () => cursor.step(1),
    Home: () => cursor.go(0),
    End: () => cursor.go(Infinity),
    '[': () => app.moveSteps(-1),
    ']': () => app.moveSteps(1),
    '?': () => view.setState({ sheet: 'help' }),
    c: () => void app.copy(toCsv(runsOfClip(app.runs.getState(), settings.get().clip))),
    d: app.rollDice,
    g: app.nextGain,
    j: () => app.moveClip(1),
    k: () => app.moveClip(-1),
    l: () => view.setState(({ loop }) => ({ loop: !loop })),
    m: () => view.setState(({ measure }) => ({ measure: measure === 'psnr' ? 'ssim' : 'psnr' })),
    n: () => void app.newEpisode(),
    r: () => void app.run(),
    s: app.share,
    t: app.toggleTruth,
    v: () => view.setState(({ asTable }) => ({ asTable: !asTable })),
  };
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'range';
}

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'];

/** A focused button is pressed by the space bar, sliders, choices and lists are moved by arrows. */
function usesKey(target: EventTarget | null, key: string): boolean {
  if (target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) return ARROWS.includes(key) || key === ' ';
  const pressable =
    target instanceof HTMLButtonElement || (target instanceof HTMLElement && target.tagName === 'SUMMARY');
  return pressable && (key === ' ' || key === 'Enter');
}
