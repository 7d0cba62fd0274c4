/** Checkpoints of the published sizes with random weights, written to disk tensor by tensor. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { bytesOfArray } from '../../models/array/bytes.ts';
import { seededNormals } from '../../models/array/random.ts';
import { sizeOf } from '../../models/array/tensor.ts';
import type { NanowmConfig } from '../../models/nanowm/config.ts';
import { expectedWeights } from '../../models/nanowm/expected.ts';

/** Width, depth and heads of the published sizes (facts/nanowm.md section 1). */
const SIZES = { S: [384, 12, 6], B: [768, 12, 12], L: [1024, 24, 16] } as const;
/** Numbers that repeat; drawing every one anew would take longer than the conversion. */
const PATTERN = 2 ** 20;

/** A NanoWM for frames of 256 x 256; B/2 is the point maze's, L/2 CSGO's. */
export function publishedConfig(size: keyof typeof SIZES): NanowmConfig {
  const [width, depth, heads] = SIZES[size];
  const csgo = size === 'L';
  return {
    frames: csgo ? 16 : 4,
    channels: 4,
    latentHeight: 32,
    latentWidth: 32,
    patch: 2,
    width,
    depth,
    heads,
    actionWidth: csgo ? 51 : 10,
    injection: 'additive',
    causal: true,
  };
}

/** Writes a safetensors file of float32. @returns its size in bytes */
export function writeRandomCheckpoint(path: string, config: NanowmConfig): number {
  const weights = [...expectedWeights(config)].map(([name, { shape }]) => ({ name, shape }));
  const header: Record<string, unknown> = {};
  let length = 0;
  for (const { name, shape } of weights) {
    const end = length + 4 * sizeOf(shape);
    header[name] = { dtype: 'F32', shape, data_offsets: [length, end] };
    length = end;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const start = 8 + Math.ceil(json.length / 8) * 8;
  const head = new Uint8Array(start).fill(0x20, 8);
  new DataView(head.buffer).setBigUint64(0, BigInt(start - 8), true);
  head.set(json, 8);
  const pattern = seededNormals(1)(PATTERN);
  const file = openSync(path, 'w');
  try {
    writeSync(file, head);
    let at = 0;
    for (const { name, shape } of weights) {
      const values = valuesOf(name, shape, pattern, at);
      for (let done = 0; done < values.byteLength;)
        done += writeSync(file, bytesOfArray(values), done, values.byteLength - done);
      at = (at + 4099) % PATTERN;
    }
  } finally {
    closeSync(file);
  }
  return start + length;
}

/** Of the size that keeps activations near 1: norms are 1, the others shrink with what is summed. */
function valuesOf(
  name: string,
  shape: readonly number[],
  pattern: Float32Array,
  start: number,
): Float32Array {
  const values = new Float32Array(sizeOf(shape));
  if (name.endsWith('_norm.weight')) return values.fill(1);
  const inputs = shape.length > 1 ? sizeOf(shape.slice(1)) : 2500;
  const scale = 1 / Math.sqrt(inputs);
  for (let i = 0; i < values.length; i++) values[i] = scale * pattern[(start + i) % PATTERN]!;
  return values;
}
