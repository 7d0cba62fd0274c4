/** `npm run bundle`: an export of the training as a model bundle for the page. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { buildBundle } from '../../models/bundle/build.ts';
import type { AutoencoderPart, BorrowedCodec, NanowmPart } from '../../models/bundle/build.ts';
import { parseManifest } from '../../models/bundle/manifest.ts';
import { invalid, missing } from '../../models/errors.ts';
import { readSafetensors } from '../../models/files/safetensors.ts';
import { parseYaml } from '../../models/files/yaml.ts';
import { configFromHydra } from '../../models/nanowm/hydra.ts';
import { STORAGES } from '../../models/onnx/storage.ts';
import { parseWith } from '../../models/schema.ts';
import type { Arguments, Command } from './command.ts';
import { checkFolder, openOutput, readBytes, readJson, readText } from './files.ts';
import { bytes, table } from './output.ts';
import { runAlone } from './standalone.ts';

const WORLDS = ['maze', 'csgo', 'arena', 'programs', 'other'] as const;
const MODES = ['full_sequence', 'pyramid', 'sequential'] as const;

const numbers = v.array(v.pipe(v.number(), v.finite()));
const statisticsSchema = v.object({ action_mean: numbers, action_std: numbers });

const command: Command = {
  summary: 'Makes a bundle (manifest.json, graphs and weights) from trained weights.',
  usage: '',
  options: {
    nanowm: { type: 'string', value: 'DIR', help: 'model.safetensors and config.yaml' },
    autoencoder: {
      type: 'string',
      value: 'DIR',
      help: 'config.json and diffusion_pytorch_model.safetensors',
    },
    'codec-of': {
      type: 'string',
      value: 'DIR',
      help: 'a bundle whose codec is taken over as it is, instead of --autoencoder',
    },
    out: { type: 'string', value: 'DIR', help: 'folder to write' },
    id: { type: 'string', value: 'ID', help: 'id of the bundle' },
    title: { type: 'string', value: 'TEXT', help: 'title (default: the id)' },
    source: { type: 'string', value: 'TEXT', help: 'where the weights come from' },
    licence: { type: 'string', value: 'TEXT', help: 'licence of the weights (default MIT)' },
    world: { type: 'string', value: WORLDS.join('|'), help: 'default maze' },
    dtype: { type: 'string', value: STORAGES.join('|'), help: 'how weights are stored (default fp16)' },
    actions: {
      type: 'string',
      value: 'F.json',
      help: 'action_mean and action_std of one environment step (default: actions.json beside the weights)',
    },
    mode: {
      type: 'string',
      value: MODES.join('|'),
      help: 'default schedule (default: what the config says)',
    },
    steps: { type: 'string', value: 'S', help: 'default denoising steps (default: what the config says)' },
    fps: { type: 'string', value: 'N', help: 'model frames a second (default 8)' },
  },
  async run(args) {
    const out = args.required('out');
    const id = args.required('id');
    await checkFolder(out);
    const nanowm = args.text('nanowm');
    const autoencoder = args.text('autoencoder');
    if (nanowm === undefined && autoencoder === undefined) {
      throw missing('option', '--nanowm or --autoencoder', 'give the folder of at least one of them');
    }
    const codecOf = args.text('codec-of');
    if (codecOf !== undefined && autoencoder !== undefined)
      throw invalid('--codec-of', codecOf, 'there is an --autoencoder already; leave one of the two out');
    const world = args.choice('world', WORLDS) ?? 'maze';
    const fps = args.number('fps') ?? 8;
    if (fps < 0.1 || fps > 240) throw invalid('--fps', fps, 'give a number from 0.1 to 240');
    const request = {
      id,
      title: args.text('title') ?? id,
      source: args.text('source') ?? 'trained by models/training of this project',
      licence: args.text('licence') ?? 'MIT',
      world,
      storage: args.choice('dtype', STORAGES) ?? 'fp16',
      display: { aspect: 1, fps },
      ...(nanowm === undefined ? {} : { nanowm: await readNanowm(nanowm, world, args) }),
      ...(autoencoder === undefined ? {} : { autoencoder: await readAutoencoder(autoencoder) }),
      ...(codecOf === undefined ? {} : { codec: await borrowCodec(codecOf) }),
    };
    const output = await openOutput(out);
    let manifest;
    try {
      manifest = await buildBundle(request, output, { sha256, pause: () => args.pause() });
      await output.commit();
    } finally {
      await output.close();
    }
    if (request.nanowm?.facts.normaliseAction === true && request.nanowm.action.mean === null)
      console.error(
        'The config says normalize_action, but there are no --actions: actions go in as recorded.',
      );
    if (args.flag('json')) console.log(JSON.stringify(manifest));
    else
      console.log(
        table(
          ['file', 'size'],
          Object.entries(manifest.files).map(([name, file]) => [name, bytes(file.bytes)]),
        ),
      );
  },
};

await runAlone('bundle', command);

async function readNanowm(folder: string, world: string, args: Arguments): Promise<NanowmPart> {
  const facts = configFromHydra(
    parseYaml(await readText(join(folder, 'config.yaml')), join(folder, 'config.yaml')),
  );
  const path = join(folder, 'model.safetensors');
  const statistics = await readStatistics(args.text('actions'), join(folder, 'actions.json'));
  const perStep = facts.actionDim ?? statistics?.mean.length;
  if (perStep === undefined) {
    throw missing(
      'dataset.spec.action_dim',
      `in ${join(folder, 'config.yaml')}`,
      'add the width of one action',
    );
  }
  return {
    weights: readSafetensors(await readBytes(path), path),
    facts,
    context: facts.contextFrames ?? 1,
    stabilisation: facts.stabilisation ?? 0.02,
    sampling: {
      mode: args.choice('mode', MODES) ?? MODES.find((mode) => mode === facts.schedulingMode) ?? 'sequential',
      steps: args.whole('steps', 1, 1000) ?? facts.samplingSteps ?? 50,
    },
    diffusion: {
      schedule: facts.noiseSchedule ?? 'squaredcos_cap_v2',
      steps: facts.diffusionSteps ?? 1000,
      prediction: facts.prediction ?? 'v',
      zeroTerminalSnr: facts.zeroTerminalSnr ?? true,
    },
    action: {
      kind: world === 'maze' || world === 'csgo' ? world : 'vector',
      perStep,
      mean: statistics?.mean ?? null,
      std: statistics?.std ?? null,
    },
  };
}

async function readAutoencoder(folder: string): Promise<AutoencoderPart> {
  const path = join(folder, 'diffusion_pytorch_model.safetensors');
  return {
    weights: readSafetensors(await readBytes(path), path),
    config: await readJson(join(folder, 'config.json')),
  };
}

async function borrowCodec(folder: string): Promise<BorrowedCodec> {
  const manifest = parseManifest(await readJson(join(folder, 'manifest.json')));
  return { manifest, read: (name) => readBytes(join(folder, name)) };
}

/** Mean and standard deviation of one environment step's action; null when the model takes actions as recorded. */
async function readStatistics(
  given: string | undefined,
  beside: string,
): Promise<{ mean: number[]; std: number[] } | null> {
  const path = given ?? (existsSync(beside) ? beside : undefined);
  if (path === undefined) return null;
  const remedy = `correct ${path}`;
  const { action_mean, action_std } = parseWith(
    statisticsSchema,
    await readJson(path),
    'action statistics',
    remedy,
  );
  return { mean: action_mean, std: action_std };
}

function sha256(data: Uint8Array): Promise<string> {
  return Promise.resolve(createHash('sha256').update(data).digest('hex'));
}
