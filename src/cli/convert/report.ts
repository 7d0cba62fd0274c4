/** What each precision of a bundle costs: its size, and how far it is from float32. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BundleRequest } from '../../../models/bundle/build.ts';
import type { Manifest } from '../../../models/bundle/manifest.ts';
import { STORAGES } from '../../../models/onnx/storage.ts';
import type { Storage } from '../../../models/onnx/storage.ts';
import { compareProbes, probe } from '../../../workers/node/comparison.ts';
import type { Compared, Probe } from '../../../workers/node/comparison.ts';
import type { Arguments } from '../command.ts';
import { bytes, fixed, progress, table } from '../output.ts';
import { storedAs, write } from './convert.ts';

export interface Precision extends Compared {
  readonly dtype: Storage;
  /** Of all files but the manifest. */
  readonly bytes: number;
}

export interface Report {
  readonly precisions: readonly Precision[];
  readonly runtime: string;
}

/**
 * Builds the bundle once for each precision, beside the one that is wanted, and runs it.
 * @param which those to measure against float32
 */
export async function measure(
  request: BundleRequest,
  which: readonly Storage[],
  args: Arguments,
): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'nanowm-report-'));
  try {
    const run = async (storage: Storage) => {
      const place = join(folder, storage);
      const manifest = await write(storedAs(request, storage), place, () => args.pause());
      progress(`running ${storage}`);
      const found = await probe(place, { runtime: 'auto' }, args.stopped);
      await rm(place, { recursive: true });
      return { found, bytes: sizeOfBundle(manifest) };
    };
    const full = await run('fp32');
    const precisions: Precision[] = [];
    for (const dtype of STORAGES.filter((each) => which.includes(each))) {
      const other: { found: Probe; bytes: number } = dtype === 'fp32' ? full : await run(dtype);
      precisions.push({ dtype, bytes: other.bytes, ...compareProbes(full.found, other.found) });
    }
    return { precisions, runtime: full.found.runtime };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function sizeOfBundle({ files }: Manifest): number {
  return Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
}

export function reportText({ precisions, runtime }: Report): string {
  const rows = precisions.map(({ dtype, bytes: size, relative, notFinite, psnr }) => [
    dtype,
    bytes(size),
    notFinite > 0 ? `${String(notFinite)} not finite` : relative === 0 ? '0' : relative.toExponential(1),
    psnr === null ? 'equal' : fixed(psnr, 1),
  ]);
  const [first] = precisions;
  const scale =
    first?.of === 'latents'
      ? `latents, on the scale of their range of ${fixed(first.range, 2)} in float32`
      : 'frames';
  return [
    table(['precision', 'size', 'off by', 'PSNR dB'], rows),
    'off by: largest deviation of one forward pass from float32, relative to its largest value, on seeded input.',
    `PSNR: of the ${scale}, after a window in 10 steps on seeded latents, against float32. ${runtime}`,
  ].join('\n');
}
