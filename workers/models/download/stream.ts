/** One connection from the first byte to the last, for servers that cannot continue. */
import { invalid, unsupported } from '../../../models/errors.ts';
import { ask } from './ask.ts';
import type { Answer } from './ask.ts';
import { Interrupted } from './interrupted.ts';
import type { Job } from './job.ts';
import { sizeInWords } from './size.ts';

export type Whole = Extract<Answer, { readonly kind: 'whole' }>;

/**
 * The whole file; when it breaks off, again from its beginning, a few times.
 * @param first an answer that is being sent already
 * @throws one sentence; what came is then of no use and is not kept
 */
export async function transferStream(job: Job, first: Whole | null): Promise<void> {
  const { landing, wanted, cancelled } = job;
  const patience = job.patience(cancelled);
  let open = first;
  try {
    for (;;) {
      await landing.clear();
      try {
        await once(job, open ?? (await askForAll(job)));
        return;
      } catch (error) {
        open = null;
        if (!(error instanceof Interrupted)) throw error;
        // Its bytes go at once: they must not be counted as kept.
        await landing.clear();
        await patience.again(error);
        job.say(`The server cannot continue ${wanted.name}; it starts from the beginning.`);
      }
    }
  } catch (error) {
    landing.spoil();
    throw error;
  }
}

async function askForAll({ network, wanted, cancelled }: Job): Promise<Whole> {
  const { url, name } = wanted;
  const answer = await ask(network, { url, name, range: null, total: null }, cancelled);
  if (answer.kind === 'whole') return answer;
  throw unsupported('answer', url, 'the server sends parts that nobody asked for: try another address');
}

async function once({ landing, wanted, meter, cancelled }: Job, answer: Whole): Promise<void> {
  const { name, bytes: expected } = wanted;
  let total = answer.total;
  let at = 0;
  landing.begin(total, answer.served, false);
  if (expected !== null && total !== null && total !== expected) throw otherSize(name, total, expected);
  for await (const bytes of answer.chunks(cancelled)) {
    if (expected !== null && at + bytes.length > expected) throw tooLong(name, expected);
    landing.write(at, bytes);
    at += bytes.length;
    // A packed answer whose header the browser hides: its length counts other bytes.
    if (total !== null && at > total) total = null;
    meter.at('download', at, total ?? expected);
  }
  if (total !== null && at < total) throw new Interrupted('broken');
  if (expected !== null && at < expected) throw new Interrupted('broken');
  if (at === 0) throw empty(name);
  landing.end(at);
}

export function empty(name: string): Error {
  return invalid('model file', name, 'the file on the server is empty: check the address');
}

export function otherSize(name: string, found: number, expected: number): Error {
  const sizes = `the server sends ${bytes(found)}, where ${bytes(expected)} are promised`;
  return invalid('model file', name, `${sizes}: the file was replaced, so list the repository again`);
}

function tooLong(name: string, expected: number): Error {
  const remedy = 'the file was replaced or is another one, so list the repository again';
  return invalid('model file', name, `it has more than the ${bytes(expected)} that are promised; ${remedy}`);
}

function bytes(count: number): string {
  return count < 1000 ? sizeInWords(count) : `${sizeInWords(count)} (${String(count)} bytes)`;
}
