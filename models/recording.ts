/**
 * A run written down once, to be shown before any weights arrive: `public/recorded/<clip>.json`
 * (everything but arrays) beside `<clip>.npz` (`frames` and `reconstruction`, uint8 [T, H, W, 3]).
 */
import * as v from 'valibot';
import type { Tensor } from './array/tensor.ts';
import { invalid } from './errors.ts';
import { readNpz, writeNpz } from './files/npz.ts';
import type { RunResult } from './run.ts';
import { oneOf, parseWith } from './schema.ts';

/** A run's result without latents and trace, which only a model can use. */
export type RecordedResult = Omit<RunResult, 'latents' | 'latentShape' | 'trace' | 'network'> & {
  /** Absent in recordings that are older than the cached graph. */
  readonly network?: RunResult['network'];
};

export interface Recording {
  /** What computed it, in words: `WASM, 2 threads, ...`. */
  readonly device: string;
  /** Day, as 2026-01-31. */
  readonly date: string;
  readonly result: RecordedResult;
}

const REMEDY = 'record it again';
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const number = v.pipe(v.number(), v.finite());
const metrics = v.nullable(
  v.array(v.strictObject({ frame: count, window: count, mse: number, psnr: number, ssim: number })),
);

const schema = v.strictObject({
  version: v.literal(1, 'only version 1 is known'),
  device: v.string(),
  date: v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/, 'a date looks like 2026-01-31')),
  result: v.looseObject({
    version: v.literal(1),
    // Written by us from a checked spec; what the page reads of it is checked where it is used.
    spec: v.custom<RunResult['spec']>(
      (spec) => typeof spec === 'object' && spec !== null && 'sampler' in spec,
    ),
    metrics: v.strictObject({ pixels: metrics, reconstruction: metrics }),
    levels: v.array(v.array(v.array(v.nullable(v.number())))),
    timings: v.custom<RunResult['timings']>(
      (value) => typeof (value as { total?: unknown } | null)?.total === 'number',
    ),
    networkCalls: count,
    frameEvaluations: count,
    network: v.exactOptional(
      v.strictObject({ graph: oneOf(['cached', 'window']), reason: v.nullable(v.string()) }),
    ),
    provenance: v.custom<RunResult['provenance']>((value) => typeof value === 'object' && value !== null),
  }),
});

/** The two files of a recording. @throws invalid when the run has no frames (a bundle without a codec). */
export function writeRecording(
  result: RunResult,
  device: string,
  date: string,
): { readonly json: string; readonly npz: Uint8Array<ArrayBuffer> } {
  const { frames, reconstruction, frameShape } = result;
  if (!frames || !frameShape) throw invalid('recording', 'no frames', 'use a bundle that has a codec');
  const arrays: Record<string, Tensor> = { frames: { dtype: 'uint8', shape: frameShape, data: frames } };
  if (reconstruction) {
    const [, height, width] = frameShape;
    const length = reconstruction.length / (height * width * 3);
    arrays.reconstruction = { dtype: 'uint8', shape: [length, height, width, 3], data: reconstruction };
  }
  // Arrays go into the archive; undefined keys are left out of JSON.
  const rest = {
    ...result,
    frames: undefined,
    reconstruction: undefined,
    latents: undefined,
    latentShape: undefined,
    trace: undefined,
    frameShape: undefined,
  };
  return {
    json: `${JSON.stringify({ version: 1, device, date, result: rest })}\n`,
    npz: writeNpz(arrays),
  };
}

/** @throws one sentence that names the field or the array. */
export function readRecording(json: unknown, npz: Uint8Array, label = 'recording'): Recording {
  const { device, date, result } = parseWith(schema, json, label, REMEDY);
  const arrays = readNpz(npz, `${label}.npz`);
  const frames = arrays.get('frames');
  const reconstruction = arrays.has('reconstruction') ? arrays.get('reconstruction') : null;
  for (const array of [frames, reconstruction]) {
    if (array && (array.dtype !== 'uint8' || array.shape.length !== 4 || array.shape[3] !== 3)) {
      throw invalid(
        'array',
        `${array.dtype} [${array.shape.join(', ')}] in ${label}.npz`,
        'frames are uint8 [T, H, W, 3]',
      );
    }
  }
  return {
    device,
    date,
    result: {
      ...result,
      frames: frames.data as Uint8Array,
      frameShape: frames.shape as unknown as readonly [number, number, number, 3],
      reconstruction: reconstruction && (reconstruction.data as Uint8Array),
    },
  };
}
