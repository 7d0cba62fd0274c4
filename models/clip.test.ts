import { describe, expect, it } from 'vitest';
import type { Tensor } from './array/tensor.ts';
import { readClip, writeClip } from './clip.ts';
import type { Clip } from './clip.ts';
import { writeNpz } from './files/npz.ts';

const uint8 = (...shape: number[]): Tensor => ({
  dtype: 'uint8',
  shape,
  data: Uint8Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i % 251),
});
const float32 = (...shape: number[]): Tensor => ({
  dtype: 'float32',
  shape,
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i / 7),
});
const read = (arrays: Record<string, Tensor>) => readClip(writeNpz(arrays), 'clip.npz');

describe('a clip', () => {
  it('comes back as it was written', () => {
    const clip: Clip = {
      length: 3,
      pixels: { data: uint8(3, 4, 6, 3).data as Uint8Array, height: 4, width: 6 },
      latents: { data: float32(3, 4, 2, 3).data as Float32Array, channels: 4, height: 2, width: 3 },
      actions: { data: float32(5, 10).data as Float32Array, rows: 5, width: 10, scale: 'network' },
      states: { data: Float64Array.from({ length: 12 }, (_, i) => i / 3), width: 4 },
      fps: 2.5,
      aspect: 280 / 150,
      source: 'U maze, episode 7 – made here',
    };
    expect(readClip(writeClip(clip))).toEqual(clip);
  });

  it('needs only frames and actions; the rest has defaults', () => {
    expect(read({ frames: uint8(2, 8, 16, 3), actions: float32(2, 3) })).toMatchObject({
      length: 2,
      latents: null,
      states: null,
      fps: 8,
      aspect: 2,
      source: 'clip.npz',
      actions: { rows: 2, width: 3, scale: 'recorded' },
    });
  });

  it('may hold latents of the context alone and actions beyond them', () => {
    const clip = read({ latents: float32(1, 4, 8, 8), network_actions: float32(4, 10) });
    expect(clip).toMatchObject({ length: 1, pixels: null, actions: { rows: 4, scale: 'network' } });
  });

  it('takes half precision for latents and doubles for actions', () => {
    const latents: Tensor = { dtype: 'float16', shape: [1, 1, 1, 1], data: Uint16Array.of(0x3c00) };
    const actions: Tensor = { dtype: 'float64', shape: [1, 1], data: Float64Array.of(0.25) };
    const states: Tensor = { dtype: 'float16', shape: [1, 1], data: Uint16Array.of(0x3800) };
    const clip = read({ latents, actions, states });
    expect([clip.latents!.data[0], clip.actions.data[0], clip.states!.data[0]]).toEqual([1, 0.25, 0.5]);
  });
});

it('keeps control characters out of its source', () => {
  const source = (data: Uint8Array): Tensor => ({ dtype: 'uint8', shape: [data.length], data });
  const arrays = { frames: uint8(1, 8, 8, 3), actions: float32(1, 3) };
  const text = new TextEncoder().encode('a\u001b[2Jb\nc');
  expect(read({ ...arrays, source: source(text) }).source).toBe('a [2Jb c');
});

describe('a wrong clip', () => {
  const frames = uint8(2, 8, 8, 3);
  const actions = float32(2, 3);
  const nan: Tensor = { dtype: 'float32', shape: [1, 2], data: Float32Array.of(1, NaN) };
  it.each([
    ['no frames', { actions }, "missing array: 'frames' in clip.npz"],
    ['no actions', { frames }, "missing array: 'actions' in clip.npz"],
    [
      'grey frames',
      { frames: uint8(2, 8, 8), actions },
      "invalid array: 'frames' of shape [2, 8, 8] in clip",
    ],
    ['channels first', { frames: uint8(2, 3, 8, 8), actions }, 'frames are [T, H, W, 3]'],
    [
      'float frames',
      { frames: float32(2, 8, 8, 3), actions },
      "'frames' of float32 in clip.npz; frames are uint8",
    ],
    ['no frame at all', { frames: uint8(0, 8, 8, 3), actions }, 'of shape [0, 8, 8, 3]'],
    ['flat actions', { frames, actions: float32(6) }, "'actions' of shape [6]"],
    ['NaN actions', { frames, actions: nan }, "'actions' NaN at element 1"],
    ['two lengths', { frames, latents: float32(3, 4, 1, 1), actions }, '2 frames but 3 latents'],
    ['states of another length', { frames, actions, states: float32(3, 4) }, 'a row for each frame'],
    ['a source of floats', { frames, actions, source: float32(3) }, "'source' of float32 in clip.npz"],
    ['zero fps', { frames, actions, fps: float32(1) }, "'fps' 0 in clip.npz; it is one positive number"],
  ])('with %s is refused in one sentence', (_name, arrays, message) => {
    expect(() => read(arrays as unknown as Record<string, Tensor>)).toThrow(message);
  });

  it('that is no archive is refused', () => {
    expect(() => readClip(Uint8Array.of(1, 2, 3), 'x.npz')).toThrow('invalid zip file: x.npz');
  });
});
