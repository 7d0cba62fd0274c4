import { beforeEach, describe, expect, it } from 'vitest';
import { createSettings, lagOf } from './settings.ts';
import type { Settings } from './settings.ts';

const INITIAL: Settings = {
  bundle: 'maze',
  clip: 'maze-01',
  horizon: 4,
  mode: 'sequential',
  lag: 4,
  steps: 8,
  stabilisation: 0.02,
  eta: 0,
  seed: 42,
  backend: 'auto',
};

let now = 0;
beforeEach(() => (now = 0));
const create = () => createSettings(INITIAL, () => now);

describe('settings', () => {
  it('go back and forth', () => {
    const settings = create();
    settings.change({ steps: 20 });
    settings.change({ mode: 'pyramid' });
    settings.undo();
    expect(settings.get()).toEqual({ ...INITIAL, steps: 20 });
    settings.undo();
    expect(settings.get()).toEqual(INITIAL);
    settings.undo();
    expect(settings.get()).toEqual(INITIAL);
    settings.redo();
    settings.redo();
    expect(settings.get()).toEqual({ ...INITIAL, steps: 20, mode: 'pyramid' });
    settings.redo();
    expect(settings.get().mode).toBe('pyramid');
  });

  it('take a dragged slider as one change, and two drags as two', () => {
    const settings = create();
    for (const steps of [9, 10, 11]) {
      now += 100;
      settings.change({ steps });
    }
    now += 5000;
    settings.change({ steps: 30 });
    settings.undo();
    expect(settings.get().steps).toBe(11);
    settings.undo();
    expect(settings.get().steps).toBe(8);
  });

  it('forget what was undone when something else is changed', () => {
    const settings = create();
    settings.change({ steps: 20 });
    settings.undo();
    settings.change({ seed: 7 });
    settings.redo();
    expect(settings.get()).toEqual({ ...INITIAL, seed: 7 });
  });

  it('ignore a change to the same value', () => {
    const settings = create();
    settings.change({ steps: 8 });
    expect(settings.store.getState().past).toEqual([]);
  });
});

describe('lagOf', () => {
  it('names the modes by their lag', () => {
    expect(lagOf({ mode: 'full_sequence', lag: 5, steps: 8 })).toBe(0);
    expect(lagOf({ mode: 'pyramid', lag: 5, steps: 8 })).toBe(1);
    expect(lagOf({ mode: 'sequential', lag: 5, steps: 8 })).toBe(8);
    expect(lagOf({ mode: 'lag', lag: 5, steps: 8 })).toBe(5);
  });
});
