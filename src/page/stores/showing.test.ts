import { beforeEach, describe, expect, it } from 'vitest';
import type { Clip } from '../../../models/clip.ts';
import { FIRST_DEFAULTS } from './bundle.ts';
import { createClips, putEntries } from './clips.ts';
import { createCursor } from './cursor.ts';
import { createHover } from './hover.ts';
import { createLive, IDLE } from './live.ts';
import { createLiveFrames } from './live-frames.ts';
import { addRun, createRuns } from './runs.ts';
import type { Run } from './runs.ts';
import { createScene, truthOf } from './scene.ts';
import { createSettings } from './settings.ts';
import { keepShowing } from './showing.ts';

const SIDE = { height: 1, width: 1 };

function clip(length: number): Clip {
  return {
    length,
    pixels: { data: new Uint8Array(length * 3), ...SIDE },
    latents: null,
    actions: { data: new Float32Array(length), rows: length, width: 1, scale: 'recorded' },
    states: null,
    fps: 4,
    aspect: 1,
    source: 'test',
  };
}

function run(id: string, of: string, value: number): Run {
  const frames = { data: new Uint8Array(12).fill(value), count: 4, ...SIDE };
  const none = { psnr: [], ssim: [] };
  return {
    id,
    order: 0,
    settings: { ...FIRST_DEFAULTS, clip: of },
    frames,
    context: 1,
    reconstruction: frames,
    measures: { pixels: none, reconstruction: none },
    seconds: 1,
    networkCalls: 24,
    frameEvaluations: 96,
    device: 'WASM',
    recordedOn: null,
    beliefs: [[new Uint8Array(12).fill(101), new Uint8Array(12).fill(102)]],
  };
}

function stores() {
  let reached: number | null = 2;
  const all = {
    settings: createSettings(FIRST_DEFAULTS, () => 0),
    clips: createClips(),
    runs: createRuns(),
    live: createLive(),
    scene: createScene(),
    cursor: createCursor(1),
    hover: createHover(),
    reachedRows: () => reached,
    anotherSchedule: () => (reached = null),
  };
  keepShowing(all);
  return all;
}

let all: ReturnType<typeof stores>;
beforeEach(() => (all = stores()));

const shownValue = () => all.scene.getState().prediction?.frames.data[3] ?? null;
const put = (id: string, length: number) =>
  putEntries(all.clips, [{ id, title: id, clip: clip(length), failure: null }]);

describe('the pictures', () => {
  it('are empty before a clip is there, and keep the frame that was asked for', () => {
    expect(all.scene.getState()).toMatchObject({ pixels: null, prediction: null });
    expect(all.cursor.store.getState()).toMatchObject({ frame: 1, count: 0 });
  });

  it('show a clip as far as it is to be predicted', () => {
    put('maze-01', 12);
    expect(all.cursor.store.getState().count).toBe(4);
    all.settings.change({ horizon: 7 });
    expect(all.cursor.store.getState().count).toBe(7);
  });

  it('show the newest run of the clip that is wanted, never another clip’s', () => {
    put('maze-01', 4);
    put('maze-02', 4);
    addRun(all.runs, run('a', 'maze-01', 10));
    addRun(all.runs, run('b', 'maze-02', 20));
    expect(shownValue()).toBe(10);
    all.settings.change({ clip: 'maze-02' });
    expect(shownValue()).toBe(20);
    all.settings.change({ clip: 'maze-03' });
    expect(shownValue()).toBeNull();
  });

  it('give the run under way precedence while its clip is wanted', () => {
    put('maze-01', 4);
    addRun(all.runs, run('a', 'maze-01', 10));
    const frames = createLiveFrames({ horizon: 4, context: 1, keep: 4, ...SIDE });
    frames.put({ window: 0, belief: new Uint8Array(12).fill(50) });
    all.live.setState({ status: 'running', settings: FIRST_DEFAULTS, prediction: frames.prediction });
    expect(shownValue()).toBe(50);
    all.settings.change({ clip: 'maze-02' });
    expect(shownValue()).toBeNull();
    all.settings.change({ clip: 'maze-01' });
    all.live.setState(IDLE, true);
    expect(shownValue()).toBe(10);
  });

  it('show what was believed after the row that is read in the matrix', () => {
    put('maze-01', 4);
    addRun(all.runs, run('a', 'maze-01', 10));
    all.hover.setState({ cell: { row: 2, column: 1, by: 'pointer' } });
    expect(shownValue()).toBe(102);
    all.hover.setState({ cell: { row: 0, column: 1, by: 'pointer' } });
    expect(shownValue()).toBe(10);
  });

  it('show the result when the matrix is another schedule’s', () => {
    put('maze-01', 4);
    addRun(all.runs, run('a', 'maze-01', 10));
    all.anotherSchedule();
    all.hover.setState({ cell: { row: 2, column: 1, by: 'pointer' } });
    expect(shownValue()).toBe(10);
  });
});

describe('a live run of several windows', () => {
  it('puts each belief in its place and leaves out what lies past the end', () => {
    const frames = createLiveFrames({ horizon: 5, context: 1, keep: 1, ...SIDE });
    frames.put({ window: 2, belief: Uint8Array.from({ length: 12 }, (_, i) => i + 1) });
    const { prediction } = frames;
    expect(prediction.known).toEqual([false, false, true, true, true]);
    expect([...prediction.frames.data.slice(6)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('truthOf', () => {
  it('falls back to the recorded pixels while there is no reconstruction', () => {
    put('maze-01', 4);
    const scene = all.scene.getState();
    expect(truthOf(scene, 'reconstruction')).toBe(scene.pixels);
  });
});
