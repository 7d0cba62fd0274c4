/** `npm run bundle`: an export of the training as a model bundle for the page; `convert` does the work. */
import { join } from 'node:path';
import { missing } from '../../models/errors.ts';
import type { Command } from './command.ts';
import { convert } from './commands/convert.ts';
import { ABOUT } from './convert/options.ts';
import { runAlone } from './standalone.ts';

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
    ...ABOUT,
  },
  async run(args) {
    const nanowm = args.text('nanowm');
    const autoencoder = args.text('autoencoder');
    if (nanowm === undefined && autoencoder === undefined) {
      throw missing('option', '--nanowm or --autoencoder', 'give the folder of at least one of them');
    }
    const place = (folder: string | undefined, config: string) =>
      folder === undefined ? undefined : { weights: folder, config: join(folder, config) };
    const asked = {
      nanowm: place(nanowm, 'config.yaml'),
      autoencoder: place(autoencoder, 'config.json'),
      codecOf: args.text('codec-of'),
      defaults: {
        source: 'trained by models/training of this project',
        licence: 'MIT',
        world: 'maze',
      },
    } as const;
    await convert(asked, args);
  },
};

await runAlone('bundle', command);
