/** `metrics`: MSE, PSNR and SSIM of frames against a truth, as the reference's evaluator defines them. */
import type { Tensor } from '../../../models/array/tensor.ts';
import { invalid, unsupported } from '../../../models/errors.ts';
import { readNpy } from '../../../models/files/npy.ts';
import { readNpz } from '../../../models/files/npz.ts';
import { measureFrames, type Measures } from '../../../models/metrics/measure.ts';
import type { Command } from '../command.ts';
import { readBytes, writeWhole } from '../files.ts';
import { fixed, table } from '../output.ts';

const names = ['mse', 'psnr', 'ssim'] as const;

export const command: Command = {
  summary: 'Measures predicted frames against true ones: MSE on [-1, 1], PSNR in dB on [0, 1], SSIM.',
  usage: '',
  options: {
    pred: {
      type: 'string',
      value: 'F',
      help: 'predicted frames: .npz with `frames`, or .npy, uint8 [T, H, W, 3]',
    },
    truth: { type: 'string', value: 'F', help: 'true frames, the same shape' },
    context: {
      type: 'string',
      value: 'N',
      help: 'leading frames that were given and are not measured (default 0)',
    },
    csv: { type: 'string', value: 'F', help: "write a row per frame in the reference's columns" },
    perceptual: { type: 'string', value: 'DIR', help: 'bundle with a distance graph (not supported yet)' },
  },
  async run(args) {
    if (args.has('perceptual'))
      throw unsupported('option', '--perceptual', 'LPIPS is not built yet; leave it out');
    const [predPath, truthPath] = [args.required('pred'), args.required('truth')];
    const context = args.whole('context', 0) ?? 0;
    const pred = await readFrames(predPath);
    const truth = await readFrames(truthPath);
    if (pred.shape.join() !== truth.shape.join()) {
      throw invalid(
        'shapes',
        `[${pred.shape.join(', ')}] and [${truth.shape.join(', ')}]`,
        'frames and truth must have the same',
      );
    }
    const [count, height, width] = pred.shape as [number, number, number];
    if (context >= count)
      throw invalid(
        '--context',
        context,
        `the files have ${String(count)} frames; leave at least one to measure`,
      );
    const all = measureFrames(pred.data, truth.data, height, width);
    const measured = all.slice(context);
    const means = Object.fromEntries(
      names.map((name) => [name, mean(measured, name)]),
    ) as unknown as Measures;
    const csv = args.text('csv');
    await args.pause();
    if (csv !== undefined) await writeWhole(csv, toCsv(all, context));
    if (args.flag('json')) {
      const perFrame = Object.fromEntries(names.map((name) => [name, measured.map((frame) => frame[name])]));
      console.log(
        JSON.stringify({
          frames: measured.map((_, i) => i + context),
          ...perFrame,
          distance: null,
          means: { ...means, distance: null },
        }),
      );
      return;
    }
    const line = (title: string, row: Measures) => [
      title,
      row.mse.toExponential(3),
      fixed(row.psnr, 2),
      fixed(row.ssim, 4),
    ];
    const rows = measured.map((row, i) => line(String(i + context), row));
    console.log(table(['frame', 'mse', 'psnr dB', 'ssim'], [...rows, line('mean', means)]));
  },
};

async function readFrames(path: string): Promise<Tensor<'uint8'>> {
  if (/\.(mp4|gif)$/i.test(path)) {
    throw unsupported('frames', path, 'videos are not read yet; give .npz with `frames`, or .npy');
  }
  const content = await readBytes(path);
  const tensor = path.endsWith('.npy') ? readNpy(content, path) : readNpz(content, path).get('frames');
  const { dtype, shape } = tensor;
  if (dtype !== 'uint8' || shape.length !== 4 || shape[3] !== 3 || shape.includes(0)) {
    throw invalid('frames', `${dtype} [${shape.join(', ')}] in ${path}`, 'give uint8 [T, H, W, 3]');
  }
  return tensor as Tensor<'uint8'>;
}

function mean(rows: readonly Measures[], name: (typeof names)[number]): number {
  return rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
}

/** The columns of the reference's evaluate_metrics.py; lpips stays empty where it was not measured. */
function toCsv(rows: readonly Measures[], context: number): string {
  const lines = rows.map((row, i) =>
    [0, i, i < context ? 'True' : 'False', row.mse, row.psnr, row.ssim, ''].join(','),
  );
  return ['sample_id,frame_idx,is_context,mse,psnr,ssim,lpips', ...lines, ''].join('\n');
}
