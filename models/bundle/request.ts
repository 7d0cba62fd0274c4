/** From the parts of a checkpoint to what buildBundle takes, and what has to be said and asked on the way. */
import { invalid } from '../errors.ts';
import type { BorrowedCodec, BundleRequest } from './build.ts';
import type { Parts } from './parts.ts';
import type { Answers, Question } from './questions.ts';
import { understandAutoencoder } from './understand-codec.ts';
import { understandNanowm } from './understand.ts';
import type { Understanding } from './understand.ts';

export interface Understood {
  /** Null for an autoencoder alone. */
  readonly model: Understanding | null;
  readonly parts: Pick<BundleRequest, 'nanowm' | 'autoencoder' | 'world' | 'display'>;
  readonly notes: readonly string[];
  readonly questions: readonly Question[];
}

/**
 * Reads names and shapes only.
 * @param onRead told the bytes of each tensor when it is first read
 * @throws as understandNanowm and understandAutoencoder
 */
export function understandParts(
  { nanowm, autoencoder, skipped }: Parts,
  answers: Answers,
  onRead?: (bytes: number) => void,
): Understood {
  const read = onRead && { onRead };
  const model = nanowm
    ? understandNanowm({
        weights: nanowm.checkpoint.weights,
        hyperparameters: nanowm.checkpoint.hyperparameters,
        config: nanowm.config,
        statistics: nanowm.statistics,
        answers,
        ...read,
      })
    : null;
  const codec = autoencoder
    ? understandAutoencoder({
        weights: autoencoder.checkpoint.weights,
        config: autoencoder.config,
        denoiser: model,
        ...read,
      })
    : null;
  const left = [nanowm, autoencoder].flatMap((part) => part?.checkpoint.others ?? []);
  return {
    model,
    parts: {
      world: model?.world ?? answers.world ?? 'other',
      display: model?.display ?? { aspect: 1, fps: 8 },
      ...(model && { nanowm: model.part }),
      ...(codec && { autoencoder: codec.part }),
    },
    notes: [...(model?.notes ?? []), ...(codec?.notes ?? []), ...leftOut([...left, ...skipped])],
    questions: model?.questions ?? [],
  };
}

/** @throws when there are two codecs, or the borrowed one's latents are not the model's */
export function withCodec(
  { model, parts }: Understood,
  codec: BorrowedCodec | null,
): Understood['parts'] & {
  readonly codec?: BorrowedCodec;
} {
  if (codec === null) return parts;
  if (parts.autoencoder) throw invalid('codec', codec.manifest.id, 'there is an autoencoder already');
  if (model === null) throw invalid('codec', codec.manifest.id, 'there is no world model to go with it');
  return { ...parts, codec };
}

function leftOut(others: readonly string[]): string[] {
  if (others.length === 0) return [];
  const names = others.slice(0, 6).join(', ');
  return [`Left out: ${names}${others.length > 6 ? `, ${others.length - 6} more` : ''}.`];
}

/** A file's or folder's name as an id: small letters, digits, dots and dashes. */
export function idOf(name: string): string {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '');
  return id === '' ? 'model' : id;
}
