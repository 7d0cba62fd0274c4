/** Several connections, each with one piece of the file after another. */
import { ask } from './ask.ts';
import type { Answer } from './ask.ts';
import { Interrupted, StartAgain } from './interrupted.ts';
import type { Job } from './job.ts';
import { sameVersion } from './note.ts';
import { piecesMissing } from './ranges.ts';
import type { Range } from './ranges.ts';

export type Part = Extract<Answer, { readonly kind: 'part' }>;

/** Bytes of one try that show that the connection is worth more of them. */
const PROGRESS = 1 << 20;

/**
 * Fetches all that is missing; `landing` knows the total.
 * @param first the answer to the first missing piece, which is being sent already
 * @throws StartAgain, or one sentence; by then no connection is open
 */
export async function transferParts(job: Job, first: Part): Promise<void> {
  const queue = piecesMissing(job.landing.done, job.landing.total!, job.settings.pieceBytes);
  const stop = new AbortController();
  const signal = AbortSignal.any([job.cancelled, stop.signal]);
  const failures: unknown[] = [];

  async function connection(open: Part | null): Promise<void> {
    try {
      const patience = job.patience(signal);
      for (let piece = queue.shift(); piece; piece = queue.shift()) {
        await fetchPiece(job, piece, open, signal, patience);
        open = null;
      }
    } catch (error) {
      // What the others throw because of the stop comes after the cause.
      failures.push(error);
      stop.abort(error);
    }
  }

  const connections = Math.min(job.settings.connections, queue.length);
  await Promise.all(
    Array.from({ length: connections }, (_, index) => connection(index === 0 ? first : null)),
  );
  if (failures.length > 0) throw failures[0];
}

async function fetchPiece(
  job: Job,
  [start, end]: Range,
  open: Part | null,
  signal: AbortSignal,
  patience: ReturnType<Job['patience']>,
): Promise<void> {
  const { landing, wanted } = job;
  let at = start;
  while (at < end) {
    const began = at;
    try {
      const question = {
        url: wanted.url,
        name: wanted.name,
        range: [at, end] as const,
        total: landing.total,
      };
      const part = open ?? partOf(job, await ask(job.network, question, signal));
      open = null;
      const until = part.part[1];
      for await (const bytes of part.chunks(signal)) {
        if (at + bytes.length > until) throw UNTRUE();
        landing.write(at, bytes);
        at += bytes.length;
        if (at - began >= PROGRESS) patience.progressed();
        job.meter.at('download', landing.bytes, landing.total);
        await landing.save();
      }
      if (at < until) throw new Interrupted('broken');
    } catch (error) {
      open = null;
      if (!(error instanceof Interrupted)) throw error;
      await patience.again(error);
    }
  }
  patience.progressed();
}

/** The answer as a part of the file that we have begun. @throws StartAgain when it is of another one */
export function partOf({ landing, wanted }: Pick<Job, 'landing' | 'wanted'>, answer: Answer): Part {
  if (answer.kind === 'unclear') throw UNTRUE();
  if (answer.kind === 'whole')
    throw new StartAgain('The server stopped sending parts; it starts again.', true);
  if (answer.kind === 'beyond') throw CHANGED();
  if (answer.total !== landing.total) throw CHANGED();
  // With a known SHA-256 the bytes are judged by that: caches of one network may name the same file differently.
  if (wanted.sha256 === null && !sameVersion(answer.served, landing.served)) throw CHANGED();
  return answer;
}

const CHANGED = () =>
  new StartAgain(
    'The file on the server is not the one that was begun; it starts from the beginning.',
    false,
  );
const UNTRUE = () =>
  new StartAgain('The server sent other parts than it was asked for; it starts again, in one stream.', true);
