/** What the form says that makes a bundle of a checkpoint. */
import type { Question } from '../../../models/bundle/questions.ts';
import type { Storage } from '../../../models/onnx/storage.ts';
import type { Looked } from '../../../workers/protocol.ts';
import { bytes } from '../words.ts';

/** Bytes of a parameter, scales of the blocks included (models/onnx/quantise.ts: 32 numbers share one of 2 bytes). */
const BYTES: Record<Storage, number> = { fp32: 4, fp16: 2, q8: 1.0625, q4: 0.5625 };

export const CONVERT_WORDS = {
  found: ({ architecture, autoencoder, parameters }: Extract<Looked, { kind: 'checkpoint' }>): string => {
    const count = `${(parameters / 1e6).toFixed(1)} million numbers`;
    if (architecture === null) return `An autoencoder of ${count}.`;
    const { frames, width, depth, latentWidth, latentHeight, channels, injection, causal } = architecture;
    return (
      `A NanoWM${autoencoder ? ' and its autoencoder' : ''} of ${count}: ${frames} frames of latents ` +
      `${channels} × ${latentHeight} × ${latentWidth}, width ${width}, depth ${depth}, ${injection} actions, ` +
      `${causal ? 'causal' : 'not causal'}.`
    );
  },
  title: 'Title',
  titleHint: 'A name with at least one letter',
  licence: 'Licence',
  licenceOpen: 'not stated',
  storage: 'Store weights as',
  storageHint:
    'fp16 halves the size and hardly changes the numbers; q8 and q4 keep whole numbers in blocks of 32 that share a scale',
  storages: (storage: Storage, parameters: number) =>
    `${storage}, about ${bytes(parameters * BYTES[storage])}`,
  codec: 'Frames by',
  codecGiven: 'the autoencoder that you gave',
  codecOf: (title: string) => `the autoencoder of ${title}`,
  codecNone: 'none',
  codecMissing:
    'Without an autoencoder it predicts latents only: give the files of its autoencoder together with it.',
  codecWarning: 'Right only when the model was trained on the latents of this one.',
  convert: 'Convert',
  fields: {
    injection: 'Actions come in by',
    causal: 'Causal',
    prediction: 'The network predicts',
    noiseSchedule: 'Noise schedule',
    zeroTerminalSnr: 'Zero terminal SNR',
    actionDim: 'Numbers of one action',
    context: 'Frames given',
    world: 'World',
  } satisfies Record<Question['field'], string>,
  choices: { true: 'yes', false: 'no' } as Readonly<Record<string, string>>,
} as const;
