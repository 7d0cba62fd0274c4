/** A clip: frames or latents, the actions between them, and where they came from; and its .npz file. */
import { toFloat32 } from './array/convert.ts';
import type { Tensor } from './array/tensor.ts';
import { invalid, missing } from './errors.ts';
import { readNpz, writeNpz } from './files/npz.ts';
import type { Npz } from './files/npz.ts';

export interface Clip {
  /** Frames that are known: T. Actions may go on beyond them. */
  readonly length: number;
  /** uint8 RGB [T, height, width, 3]. */
  readonly pixels: { readonly data: Uint8Array; readonly height: number; readonly width: number } | null;
  /** float32 [T, channels, height, width], scaled as the denoiser sees them. */
  readonly latents: ClipLatents | null;
  readonly actions: ClipActions;
  /** What a simulator knows of each frame, [T, width]; null when there is none. */
  readonly states: { readonly data: Float64Array; readonly width: number } | null;
  /** Model frames a second. */
  readonly fps: number;
  /** Width over height at which frames are shown. */
  readonly aspect: number;
  /** In words: an episode of a simulator, a file, a recording. */
  readonly source: string;
}

export interface ClipLatents {
  readonly data: Float32Array;
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

/** [rows, width], row f for model frame f. */
export interface ClipActions {
  readonly data: Float32Array;
  readonly rows: number;
  readonly width: number;
  /** As recorded, or normalised as the network takes them. */
  readonly scale: 'recorded' | 'network';
}

const DEFAULT_FPS = 8;

/**
 * The clip in an .npz file: `frames` uint8 [T, H, W, 3] or `latents` [T, C, h, w] or both;
 * `actions` or `network_actions` [rows, A]; and, if there, `states` [T, S], `fps`, `aspect` and
 * `source` (UTF-8 bytes).
 * @throws one sentence that names the array and its shape.
 */
export function readClip(bytes: Uint8Array, label = 'clip'): Clip {
  const npz = readNpz(bytes, label);
  const pixels = npz.has('frames') ? readPixels(npz.get('frames'), label) : null;
  const latents = npz.has('latents') ? readLatents(npz.get('latents'), label) : null;
  if (!pixels && !latents) {
    throw missing(
      'array',
      `'frames' in ${label}`,
      'a clip holds frames [T, H, W, 3] or latents [T, C, h, w]',
    );
  }
  if (pixels && latents && pixels.length !== latents.length) {
    throw invalid('clip', label, `it has ${pixels.length} frames but ${latents.length} latents`);
  }
  const length = (pixels ?? latents)!.length;
  const states = npz.has('states') ? readStates(npz.get('states'), length, label) : null;
  const fps = readScalar(npz, 'fps', label) ?? DEFAULT_FPS;
  const shape = pixels ?? latents!;
  const aspect = readScalar(npz, 'aspect', label) ?? shape.width / shape.height;
  const source = npz.has('source') ? readText(npz.get('source'), label) : label;
  return {
    length,
    pixels: pixels && { data: pixels.data, height: pixels.height, width: pixels.width },
    latents: latents && {
      data: latents.data,
      channels: latents.channels,
      height: latents.height,
      width: latents.width,
    },
    actions: readActions(npz, label),
    states,
    fps,
    aspect,
    source,
  };
}

/** The .npz file of `clip`; `readClip` gives it back. */
export function writeClip(clip: Clip): Uint8Array<ArrayBuffer> {
  const { length, pixels, latents, actions, states } = clip;
  const arrays: Record<string, Tensor> = {};
  if (pixels) {
    arrays.frames = { dtype: 'uint8', shape: [length, pixels.height, pixels.width, 3], data: pixels.data };
  }
  if (latents) {
    const { channels, height, width, data } = latents;
    arrays.latents = { dtype: 'float32', shape: [length, channels, height, width], data };
  }
  arrays[actions.scale === 'network' ? 'network_actions' : 'actions'] = {
    dtype: 'float32',
    shape: [actions.rows, actions.width],
    data: actions.data,
  };
  if (states) arrays.states = { dtype: 'float64', shape: [length, states.width], data: states.data };
  arrays.fps = { dtype: 'float64', shape: [], data: Float64Array.of(clip.fps) };
  arrays.aspect = { dtype: 'float64', shape: [], data: Float64Array.of(clip.aspect) };
  const source = new TextEncoder().encode(clip.source);
  arrays.source = { dtype: 'uint8', shape: [source.length], data: source };
  return writeNpz(arrays);
}

function readPixels({ dtype, shape, data }: Tensor, label: string) {
  const [length, height, width, colours] = shape;
  if (dtype !== 'uint8') wrongArray('frames', `of ${dtype}`, label, 'frames are uint8');
  if (shape.length !== 4 || colours !== 3 || shape.includes(0)) {
    wrongArray('frames', shape, label, 'frames are [T, H, W, 3]');
  }
  return { length, height, width, data: data as Uint8Array };
}

function readLatents(tensor: Tensor, label: string) {
  const { shape } = tensor;
  if (shape.length !== 4 || shape.includes(0)) {
    wrongArray('latents', shape, label, 'latents are [T, C, h, w]');
  }
  const [length, channels, height, width] = shape;
  return { length, channels, height, width, data: finiteValues(tensor, 'latents', label) };
}

function readActions(npz: Npz, label: string): ClipActions {
  const scale = npz.has('network_actions') ? 'network' : 'recorded';
  const name = scale === 'network' ? 'network_actions' : 'actions';
  if (!npz.has(name)) {
    throw missing('array', `'actions' in ${label}`, 'a clip holds actions or network_actions [T, A]');
  }
  const tensor = npz.get(name);
  const { shape } = tensor;
  if (shape.length !== 2 || shape.includes(0)) wrongArray(name, shape, label, 'actions are [T, A]');
  return { data: finiteValues(tensor, name, label), rows: shape[0], width: shape[1], scale };
}

function readStates(tensor: Tensor, length: number, label: string) {
  const { dtype, shape } = tensor;
  if (shape.length !== 2 || shape[0] !== length || !dtype.startsWith('float')) {
    wrongArray('states', shape, label, `states are floats [${length}, S], a row for each frame`);
  }
  const values = dtype === 'float64' ? (tensor.data as Float64Array) : toFloat32(tensor);
  return { data: Float64Array.from(values), width: shape[1] };
}

/** UTF-8 on one line: it is shown on the page and in terminals, which control characters would steer. */
function readText({ dtype, data }: Tensor, label: string): string {
  if (dtype !== 'uint8') wrongArray('source', `of ${dtype}`, label, 'a source is UTF-8 bytes, uint8');
  return new TextDecoder().decode(data as Uint8Array).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}

function readScalar(npz: Npz, name: string, label: string): number | null {
  if (!npz.has(name)) return null;
  const tensor = npz.get(name);
  const value = tensor.dtype === 'float64' ? (tensor.data as Float64Array)[0] : toFloat32(tensor)[0];
  if (tensor.data.length !== 1 || !(value > 0) || value === Infinity) {
    wrongArray(name, `${value}`, label, 'it is one positive number');
  }
  return value;
}

function finiteValues(tensor: Tensor, name: string, label: string): Float32Array {
  const values = toFloat32(tensor);
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) wrongArray(name, `${values[bad]} at element ${bad}`, label, 'all numbers must be finite');
  return values;
}

function wrongArray(name: string, what: readonly number[] | string, label: string, remedy: string): never {
  const text = typeof what === 'string' ? what : `of shape [${what.join(', ')}]`;
  throw invalid('array', `'${name}' ${text} in ${label}`, remedy);
}
