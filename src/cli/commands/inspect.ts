/** `inspect`: says what a file or a folder is and what is in it. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import { parseManifest } from '../../../models/bundle/manifest.ts';
import { missing, unsupported } from '../../../models/errors.ts';
import { readNpy } from '../../../models/files/npy.ts';
import { openNpz } from '../../../models/files/npz.ts';
import { lookAt } from '../../../models/files/format.ts';
import { readOnnx } from '../../../models/onnx/reader.ts';
import { parseWith } from '../../../models/schema.ts';
import { openFile } from '../../../workers/node/file-source.ts';
import type { Command } from '../command.ts';
import { isFolder, readBytes, readJson } from '../files.ts';
import { filesOfIndex, inspectWeights, weightsIn } from '../inspect-weights.ts';
import type { Finding } from '../inspect-weights.ts';
import { bytes, fixed, table } from '../output.ts';

export const command: Command = {
  summary:
    'Says what a file or folder is and what is in it: a bundle, a run, a clip, weights (.safetensors, .ckpt, .pt, .pth, .bin, shards), .onnx, .npz, .npy.',
  usage: 'PATH',
  options: {},
  async run(args) {
    const path = args.positionals[0];
    if (path === undefined) throw missing('argument', 'PATH', 'give a file or a folder');
    const { kind, lines, data } = (await isFolder(path))
      ? await inspectFolder(path)
      : await inspectFile(path);
    if (args.flag('json')) console.log(JSON.stringify({ kind, ...data }));
    else console.log([`${path}: ${kind}`, ...lines].join('\n'));
  },
};

async function inspectFolder(path: string): Promise<Finding> {
  const names = await readdir(path);
  if (names.includes('manifest.json')) return inspectBundle(path);
  if (names.includes('result.json')) return inspectRun(await readJson(join(path, 'result.json')));
  const weights = await weightsIn(path);
  if (weights.length > 0) return inspectWeights(weights);
  throw unsupported('folder', path, 'it holds no manifest.json (a bundle), result.json (a run) or weights');
}

async function inspectBundle(folder: string): Promise<Finding> {
  const manifest = parseManifest(await readJson(join(folder, 'manifest.json')));
  const files = await Promise.all(
    Object.entries(manifest.files).map(async ([name, file]) => {
      const found = await stat(join(folder, name)).catch(() => null);
      const state = found === null ? 'missing' : found.size === file.bytes ? 'there' : 'of another size';
      return { name, dtype: file.dtype, bytes: file.bytes, state };
    }),
  );
  return {
    kind: 'model bundle',
    lines: [
      `${manifest.title} (${manifest.id}), world ${manifest.world}, licence ${manifest.licence}`,
      table(
        ['file', 'dtype', 'size', 'on disk'],
        files.map((file) => [file.name, file.dtype, bytes(file.bytes), file.state]),
      ),
    ],
    data: { manifest, files },
  };
}

const measures = v.nullable(
  v.array(v.looseObject({ frame: v.number(), psnr: v.number(), ssim: v.number() })),
);
/** What is shown of a result.json; the rest of it may be anything. */
const runSchema = v.looseObject({
  version: v.literal(1, 'this version reads version 1'),
  spec: v.looseObject({
    bundle: v.string(),
    clip: v.string(),
    sampler: v.looseObject({ mode: v.string(), steps: v.number() }),
  }),
  metrics: v.looseObject({ pixels: measures, reconstruction: measures }),
  networkCalls: v.number(),
  provenance: v.looseObject({ runtime: v.string() }),
});

function inspectRun(json: unknown): Finding {
  const run = parseWith(runSchema, json, 'run', 'write it again with rollout --out');
  const { bundle, clip, sampler } = run.spec;
  const { pixels, reconstruction } = run.metrics;
  const rows = (reconstruction ?? pixels ?? []).map(({ frame, psnr, ssim }) => [
    String(frame),
    fixed(psnr, 2),
    fixed(ssim, 4),
  ]);
  return {
    kind: 'run',
    lines: [
      `${bundle} on ${clip}: ${sampler.mode}, ${String(sampler.steps)} ${sampler.steps === 1 ? 'step' : 'steps'}, ` +
        `${String(run.networkCalls)} network calls; ${run.provenance.runtime}`,
      ...(rows.length === 0 ? [] : [table(['frame', 'PSNR dB', 'SSIM'], rows)]),
    ],
    data: { result: json },
  };
}

async function inspectFile(path: string): Promise<Finding> {
  const name = basename(path);
  if (name === 'manifest.json') return inspectBundle(dirname(path));
  if (name === 'result.json') return inspectRun(await readJson(path));
  if (path.endsWith('.onnx')) return inspectGraph(await readBytes(path));
  if (path.endsWith('.index.json')) return inspectWeights(filesOfIndex(path));
  const file = openFile(path);
  try {
    const kind = lookAt(file);
    if (kind === 'npy') return inspectArrays({ array: readNpy(file.read(0, file.size), path) }, 'npy array');
    if (kind === 'npz') {
      const npz = openNpz(file);
      const arrays = npz.names.map((name) => {
        const { dtype, shape } = npz.get(name);
        return [name, { dtype, shape }] as const;
      });
      const isClip =
        (npz.has('frames') || npz.has('latents')) && (npz.has('actions') || npz.has('network_actions'));
      return inspectArrays(Object.fromEntries(arrays), isClip ? 'clip' : 'npz arrays');
    }
    if (kind !== 'unknown' && kind !== 'json') return inspectWeights([path]);
    throw unsupported('file', path, 'inspect knows bundles, runs, weights, .onnx, .npy and .npz');
  } finally {
    file.close();
  }
}

function inspectArrays(
  arrays: Record<string, { dtype: string; shape: readonly number[] }>,
  kind: string,
): Finding {
  const rows = Object.entries(arrays).map(([name, { dtype, shape }]) => ({ name, dtype, shape }));
  return {
    kind,
    lines: [
      table(
        ['array', 'dtype', 'shape'],
        rows.map((row) => [row.name, row.dtype, row.shape.join(' x ')]),
      ),
    ],
    data: { arrays: rows },
  };
}

function inspectGraph(content: Uint8Array): Finding {
  const { graph, opsets, inputs, outputs, opCounts, weightBytes } = readOnnx(content);
  const ports = [
    ...inputs.map((port) => ['input', port] as const),
    ...outputs.map((port) => ['output', port] as const),
  ];
  return {
    kind: 'ONNX graph',
    lines: [
      `${graph}: weights ${bytes(weightBytes)}, opsets ${Object.entries(opsets)
        .map(([domain, version]) => `${domain || 'onnx'} ${String(version)}`)
        .join(', ')}`,
      table(
        ['port', 'name', 'dtype', 'shape'],
        ports.map(([kind, port]) => [kind, port.name, port.dtype, port.shape.join(' x ')]),
      ),
      table(
        ['operator', 'nodes'],
        Object.entries(opCounts).map(([op, count]) => [op, String(count)]),
      ),
    ],
    data: { graph, opsets, inputs, outputs, operators: opCounts, weightBytes },
  };
}
