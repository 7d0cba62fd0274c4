import { describe, expect, it } from 'vitest';
import { FIRST_DEFAULTS } from './bundle.ts';
import { addRun, createRuns, isStale, mean, nextOrder, runsOfClip } from './runs.ts';
import type { Run } from './runs.ts';

const frames = { data: new Uint8Array(), count: 4, height: 64, width: 64 };
const none = { psnr: [], ssim: [] };

function run(id: string, order: number, changes: Partial<Run> = {}): Run {
  return {
    id,
    order,
    settings: FIRST_DEFAULTS,
    frames,
    context: 1,
    reconstruction: null,
    measures: { pixels: none, reconstruction: none },
    seconds: 1,
    networkCalls: 24,
    frameEvaluations: 96,
    device: 'WASM',
    recordedOn: null,
    beliefs: [],
    ...changes,
  };
}

describe('runs', () => {
  it('show the newest, and number on from the last', () => {
    const store = createRuns();
    expect(nextOrder(store.getState())).toBe(0);
    addRun(store, run('recorded', -1));
    expect(nextOrder(store.getState())).toBe(0);
    addRun(store, run('a', 0));
    addRun(store, run('b', 1));
    expect(store.getState().shown).toBe('b');
    expect(nextOrder(store.getState())).toBe(2);
  });

  it('are held against each other clip by clip', () => {
    const store = createRuns();
    addRun(store, run('a', 0));
    addRun(store, run('b', 1, { settings: { ...FIRST_DEFAULTS, clip: 'maze-02' } }));
    expect(runsOfClip(store.getState(), 'maze-02').map(({ id }) => id)).toEqual(['b']);
  });

  it('let go of the oldest beliefs when there are too many to keep', () => {
    const store = createRuns();
    const beliefs = () => [[new Uint8Array(40e6)]];
    addRun(store, run('a', 0, { beliefs: beliefs() }));
    addRun(store, run('b', 1, { beliefs: beliefs() }));
    const kept = Object.fromEntries(store.getState().runs.map(({ id, beliefs: list }) => [id, list.length]));
    expect(kept).toEqual({ a: 0, b: 1 });
  });
});

describe('isStale', () => {
  const done = run('a', 0);

  it('is true as soon as a setting would give another result', () => {
    expect(isStale(done, FIRST_DEFAULTS)).toBe(false);
    expect(isStale(done, { ...FIRST_DEFAULTS, steps: 9 })).toBe(true);
    expect(isStale(done, { ...FIRST_DEFAULTS, seed: 1 })).toBe(true);
  });

  it('does not count the device, nor a lag in a mode that has its own', () => {
    expect(isStale(done, { ...FIRST_DEFAULTS, backend: 'wasm' })).toBe(false);
    expect(isStale(done, { ...FIRST_DEFAULTS, lag: 2 })).toBe(false);
    expect(isStale(done, { ...FIRST_DEFAULTS, mode: 'lag', lag: 2 })).toBe(true);
  });
});

describe('mean', () => {
  it('leaves the context out', () => {
    expect(mean([null, 1, 2])).toBe(1.5);
    expect(mean([null])).toBeNull();
  });
});
