/** What the Models screen says. */
import type { Manifest } from '../../../models/bundle/manifest.ts';
import type { StorageReport, WriteProgress } from '../../../workers/protocol.ts';
import { bytes, duration } from '../words.ts';

export const MODEL_WORDS = {
  title: 'Models',
  intro:
    'Models that this browser holds. They stay on this machine: what you bring in is read, checked and kept here, and sent nowhere.',
  here: 'In this browser',
  served: 'comes with the page',
  own: 'yours',
  heads: { model: 'Model', world: 'World', predicts: 'Predicts', size: 'Size', stored: 'Stored as' },
  predicts: ({ denoiser, codec }: Manifest): string => {
    if (!denoiser) return 'no frames: an autoencoder alone';
    const { frames, latentWidth, latentHeight, channels } = denoiser.architecture;
    const size = codec
      ? `${codec.imageSize[1]} × ${codec.imageSize[0]} pixels`
      : `latents of ${channels} × ${latentHeight} × ${latentWidth}`;
    return `${frames - denoiser.context} frames from ${denoiser.context}, ${size}`;
  },
  storedAs: ({ files, denoiser, codec }: Manifest): string => {
    const graph = denoiser?.graphs.window ?? denoiser?.graphs.cached ?? codec?.graphs.decode;
    return graph === undefined ? '' : (files[graph]?.dtype ?? '');
  },
  use: 'Use',
  inUse: 'in use',
  useHint: 'Runs in the studio are made by this model from now on',
  notUsable: 'It holds no world model that predicts frames.',
  save: 'Save as zip',
  remove: 'Delete',
  removeSure: (title: string, size: number) => `Delete ${title} (${bytes(size)})?`,
  removeYes: 'Yes, delete it',
  removeNo: 'Keep it',
  removed: (id: string, freed: number) => `Deleted ${id}; ${bytes(freed)} are free again.`,
  noneOwn: 'None of your own yet. Drop a model anywhere on this page, or choose its files.',
  loading: 'Looking what there is',

  bring: 'Bring a model',
  bringHint:
    'A checkpoint (.safetensors, .ckpt, .pt, .pth, .bin) with its config and its autoencoder, or a bundle (the folder with manifest.json, or a zip of it). Drop it anywhere on this page, or choose it.',
  address: 'Or name one elsewhere',
  addressHint: 'owner/name of a Hugging Face repository, or the https address of a file or bundle',
  fetch: 'Fetch',
  fetchPrivacy: 'Only then does this page ask another host: the one that you name.',
  unfinished: (title: string) => `${title} is not finished; what has come is kept.`,
  goOn: 'Go on',
  forgetDownloads: 'Remove what has come',
  forgot: (freed: number) => `Removed ${bytes(freed)} of downloads.`,

  published: 'Published models',
  publishedHint:
    'Each is fetched from its owner\u2019s repository with the autoencoder that it needs, and converted here. Where the host cannot be reached: download the files in the browser and drop them onto this page.',
  publishedHeads: {
    model: 'Model',
    world: 'World',
    size: 'Size',
    download: 'Download',
    kept: 'Kept as fp16, q8, q4',
  },
  megabytes: (count: number) => (count < 1000 ? `${count} MB` : bytes(count * 1e6)),
  licenceAtOwner: 'licence: on its page',
  chooseFiles: 'Choose files',
  chooseFolder: 'Choose a folder',
  drop: 'Let go to bring it in',
  these: (paths: readonly string[]): string => {
    const [first = 'the files'] = paths;
    const folder = first.split('/')[0]!;
    return paths.length > 1 && first.includes('/') ? folder : (first.split('/').at(-1) ?? first);
  },
  brought: (title: string) => `${title} is here and checked.`,

  stages: {
    connect: 'Asking for',
    download: 'Downloading',
    verify: 'Checking',
    read: 'Reading',
    convert: 'Converting',
    write: 'Writing',
  } satisfies Record<WriteProgress['stage'], string>,
  progress: ({ stage, file, doneBytes, totalBytes, secondsLeft, note }: WriteProgress): string => {
    if (stage === 'connect') return `${MODEL_WORDS.stages.connect} ${file}`;
    const left = secondsLeft === null || doneBytes >= totalBytes ? '' : `, ${duration(secondsLeft)} left`;
    return `${MODEL_WORDS.stages[stage]} ${file}: ${bytes(doneBytes)} of ${bytes(totalBytes)}${left}${note ? `. ${note}` : ''}`;
  },
  cancelling: 'Cancelling',
  working: (name: string) => `Working on ${name}`,

  storage: ({ used, quota }: StorageReport): string => {
    if (used === null) return 'This browser does not say how much room there is.';
    const room = quota === null ? '' : `; the browser offers ${bytes(quota - used)} more`;
    return `${bytes(used)} are kept by this site${room}.`;
  },
  mayGo: 'The browser may remove them when the disk runs full.',
  stays: 'The browser has promised to keep them.',
  persist: 'Ask it to keep them',
  persisted: 'The browser keeps them until you delete them.',
  notPersisted:
    'The browser did not promise it; it usually does for sites that are bookmarked or often visited. Save a model as a zip to be sure.',
} as const;
