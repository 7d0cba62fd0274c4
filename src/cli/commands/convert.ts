/** `convert`: checkpoints into a bundle. */
import { missing, unknown, unsupported } from '../../../models/errors.ts';
import type { Manifest } from '../../../models/bundle/manifest.ts';
import { STORAGES } from '../../../models/onnx/storage.ts';
import type { Arguments, Command } from '../command.ts';
import { prepare, write } from '../convert/convert.ts';
import type { Asked, Prepared } from '../convert/convert.ts';
import { ABOUT, ANSWERS, inWords, withOption } from '../convert/options.ts';
import { measure, reportText, sizeOfBundle } from '../convert/report.ts';
import { bytes, progress, table } from '../output.ts';

const KINDS = ['nanowm', 'vae'] as const;

export const command: Command = {
  summary:
    'Makes a bundle from a checkpoint: convert nanowm (a world model) or convert vae (its autoencoder).',
  usage: 'nanowm|vae',
  options: {
    weights: {
      type: 'string',
      value: 'F|DIR',
      help: '.safetensors, .ckpt, .pt, .pth or .bin; or a folder with it and its config',
    },
    config: { type: 'string', value: 'F', help: 'config.yaml of the model, config.json of the autoencoder' },
    part: {
      type: 'string',
      value: 'NAME',
      help: 'where the weights lie in a file that has several, such as ema',
    },
    vae: { type: 'string', value: 'DIR', help: 'nanowm: its autoencoder, from a folder of diffusers' },
    'codec-of': { type: 'string', value: 'DIR', help: 'nanowm: a bundle whose codec is taken over instead' },
    'image-size': {
      type: 'string',
      value: 'N',
      help: 'vae: side of its frames, where its config does not say',
    },
    ...ABOUT,
    ...ANSWERS,
    report: {
      type: 'string',
      value: 'chosen|all',
      help: 'measure the precision that is written, or all four, against float32',
    },
  },
  async run(args) {
    const kind = kindOf(args.positionals[0]);
    await convert(askedOf(kind, args), args);
  },
};

function kindOf(given: string | undefined): (typeof KINDS)[number] {
  if (given === undefined) throw missing('argument', 'nanowm or vae', 'say what the weights are');
  if (given === 'lpips')
    throw unsupported('kind', given, 'this version converts nanowm and vae; perceptual networks come later');
  const kind = KINDS.find((each) => each === given);
  if (kind === undefined) throw unknown('kind', given, `use ${KINDS.join(', ')}`);
  return kind;
}

function askedOf(kind: (typeof KINDS)[number], args: Arguments): Asked {
  const place = { weights: args.required('weights'), config: args.text('config'), part: args.text('part') };
  if (kind === 'vae') return { autoencoder: place, imageSize: args.whole('image-size', 1, 65536) };
  const vae = args.text('vae');
  return {
    nanowm: place,
    autoencoder: vae === undefined ? undefined : { weights: vae },
    codecOf: args.text('codec-of'),
  };
}

/** The whole work, and what is said of it; `bundle` does it too. */
export async function convert(asked: Asked, args: Arguments): Promise<void> {
  const began = performance.now();
  const wanted = args.choice('report', ['chosen', 'all']);
  const prepared = await prepare(asked, args);
  try {
    await perform(prepared, args, began, wanted);
  } finally {
    prepared.close();
  }
}

async function perform(
  prepared: Prepared,
  args: Arguments,
  began: number,
  wanted: 'chosen' | 'all' | undefined,
): Promise<void> {
  const out = args.required('out');
  const manifest = await write(prepared.request, out, () => args.pause());
  const seconds = (performance.now() - began) / 1000;
  const which = wanted === 'all' ? STORAGES : [prepared.request.storage];
  const report = wanted === undefined ? null : await measure(prepared.request, which, args);
  progress('');
  if (args.flag('json')) {
    console.log(JSON.stringify({ ...asJson(out, manifest, prepared, seconds), ...(report && { report }) }));
    return;
  }
  console.log(inText(out, manifest, prepared, seconds));
  if (report) console.log(`\n${reportText(report)}`);
}

function asJson(
  out: string,
  manifest: Manifest,
  { notes, questions, bytes: read }: Prepared,
  seconds: number,
) {
  return { out, manifest, notes, questions: questions.map(withOption), bytesRead: read, seconds };
}

function inText(out: string, manifest: Manifest, prepared: Prepared, seconds: number): string {
  const { notes, questions, bytes: read } = prepared;
  const files = Object.entries(manifest.files);
  const rows = files.map(([name, file]) => [name, file.dtype, bytes(file.bytes)]);
  const written = sizeOfBundle(manifest);
  return [
    ...notes,
    ...questions.map(inWords),
    ...(notes.length + questions.length === 0 ? [] : ['']),
    table(['file', 'dtype', 'size'], rows),
    '',
    `${out}: ${bytes(read)} of weights became a bundle of ${bytes(written)} in ${seconds.toFixed(1)} s (${bytes(read / seconds)}/s).`,
  ].join('\n');
}
