/**
 * Downloads one file of any size to the disk: in several ranges at a time where the server can, continued after a
 * break, a cancel or a closed tab, and checked at its end.
 */
import { aborted, invalid } from '../../../models/errors.ts';
import { createSha256 } from '../../inference/sha256-stream.ts';
import { ask } from './ask.ts';
import type { Answer, Network } from './ask.ts';
import type { Disk } from './disk.ts';
import { Interrupted, StartAgain } from './interrupted.ts';
import { SETTINGS } from './job.ts';
import type { Job, Settings } from './job.ts';
import { openLanding } from './landing.ts';
import type { Landed } from './landing.ts';
import { createMeter } from './meter.ts';
import type { DownloadProgress } from './meter.ts';
import { partOf, transferParts } from './parts.ts';
import { createPatience } from './patience.ts';
import { piecesMissing } from './ranges.ts';
import type { Range } from './ranges.ts';
import { gaveUp, unreachable } from './refusals.ts';
import { sizeInWords } from './size.ts';
import { empty, otherSize, transferStream } from './stream.ts';

export interface Wanted {
  /** Absolute address; redirects are followed. */
  readonly url: string;
  /** The file's name on the disk, and in sentences. */
  readonly name: string;
  /** What is known of the file beforehand, say from a repository's list. */
  readonly expected?: { readonly bytes?: number; readonly sha256?: string };
}

export interface DownloadDeps {
  readonly fetch: Network['fetch'];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  sleep(milliseconds: number): Promise<void>;
  readonly disk: Disk;
  readonly settings?: Partial<Settings>;
}

/** The file lies under its name, closed; its note says that it is complete. `disk.remove` removes both. */
export interface Downloaded {
  readonly bytes: number;
  /** Of these, what an earlier visit had left. */
  readonly resumed: number;
  /** In hexadecimal, where it was expected and so computed. */
  readonly sha256: string | null;
  /** Sentences about what happened on the way: new starts, for one. */
  readonly notes: readonly string[];
}

/** Bytes that are read back and hashed at a time. */
const HASHED = 4 << 20;

/**
 * Downloads `wanted`, or what is missing of it. What has come stays on the disk for the next call whatever happens,
 * except: a web page or pointer in its place, a wrong size or SHA-256, and half a file from a server that cannot
 * continue. These are removed.
 *
 * @throws one sentence; `aborted` when `cancelled` fires
 */
export async function downloadFile(
  wanted: Wanted,
  deps: DownloadDeps,
  onProgress: (progress: DownloadProgress) => void,
  cancelled: AbortSignal,
): Promise<Downloaded> {
  const landed: Landed = {
    url: wanted.url,
    name: wanted.name,
    bytes: wanted.expected?.bytes ?? null,
    sha256: wanted.expected?.sha256?.toLowerCase() ?? null,
  };
  const meter = createMeter(deps.now, onProgress);
  const landing = await openLanding(deps.disk, landed, deps.now);
  const notes: string[] = [];
  const job = createJob({ wanted: landed, landing, meter, cancelled }, deps, notes);
  meter.resumed = landing.bytes;
  try {
    meter.at('connect', landing.bytes, landing.total ?? landed.bytes);
    const checked = landing.complete;
    if (landing.total === null || landing.bytes < landing.total) await transfer(job);
    const sha256 = checked ? landed.sha256 : await verify(job, deps.sleep);
    if (!checked) await landing.finish(sha256);
    return { bytes: landing.bytes, resumed: meter.resumed, sha256, notes };
  } catch (error) {
    if (cancelled.aborted) throw aborted(`the download of ${wanted.name}`);
    throw error;
  } finally {
    await landing.close();
  }
}

function createJob(
  parts: Pick<Job, 'wanted' | 'landing' | 'meter' | 'cancelled'>,
  { fetch, now, sleep, settings: given }: DownloadDeps,
  notes: string[],
): Job {
  const { wanted, landing, meter } = parts;
  const settings = { ...SETTINGS, ...given };
  return {
    ...parts,
    settings,
    network: { fetch, now, sleep: (milliseconds) => sleep(milliseconds), silence: settings.silence },
    say(sentence) {
      notes.push(sentence);
      meter.say(sentence);
    },
    patience: (stop) =>
      createPatience({
        sleep: (milliseconds) => sleep(milliseconds),
        stop,
        waiting: ({ why }, seconds) =>
          meter.say(seconds === null ? null : `${HAPPENED[why]}; trying again in ${String(seconds)} s.`),
        giveUp: (error) => gaveUp(error, wanted.url, landing.bytes === 0 ? '' : sizeInWords(landing.bytes)),
      }),
  };
}

const HAPPENED = {
  busy: 'The server is busy',
  unreachable: 'The server cannot be reached',
  silent: 'The server sent nothing for a while',
  broken: 'The connection broke',
} as const;

async function transfer(job: Job): Promise<void> {
  let oneStream = false;
  for (let starts = 0; ; starts++) {
    // Whatever is still open when a start is over goes with it.
    const over = new AbortController();
    const start = { ...job, cancelled: AbortSignal.any([job.cancelled, over.signal]) };
    try {
      if (oneStream) await transferStream(start, null);
      else await begin(start);
      return;
    } catch (error) {
      if (!(error instanceof StartAgain)) throw error;
      await job.landing.clear();
      job.meter.resumed = 0;
      job.say(error.message);
      // Twice another file: more likely one whose copies are named differently, which one stream does not mind.
      oneStream = error.oneStream || starts > 0;
    } finally {
      over.abort();
    }
  }
}

/** The first answer decides how the rest comes. */
async function begin(job: Job): Promise<void> {
  const { landing, wanted, meter } = job;
  const answer = await firstAnswer(job);
  if (answer.kind === 'whole') {
    if (landing.bytes > 0)
      job.say(`The server cannot continue ${wanted.name}; it starts from the beginning.`);
    meter.resumed = 0;
    return transferStream(job, answer);
  }
  if (landing.total === null) {
    if (answer.kind === 'beyond' && answer.total === 0) throw empty(wanted.name);
    if (answer.kind !== 'part')
      throw new StartAgain('The server sends no parts; it comes in one stream.', true);
    if (wanted.bytes !== null && answer.total !== wanted.bytes) {
      throw otherSize(wanted.name, answer.total, wanted.bytes);
    }
    landing.begin(answer.total, answer.served, true);
  }
  await transferParts(job, partOf(job, answer));
}

async function firstAnswer({
  landing,
  wanted,
  settings,
  network,
  cancelled,
  patience,
}: Job): Promise<Answer> {
  const { url, name } = wanted;
  const total = landing.total ?? wanted.bytes;
  const missing = piecesMissing(landing.done, total ?? settings.pieceBytes, settings.pieceBytes)[0];
  let range: Range | null = missing ?? ([0, settings.pieceBytes] as const);
  const patient = patience(cancelled);
  for (;;) {
    try {
      return await ask(network, { url, name, range, total }, cancelled);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      if (error.why !== 'unreachable') await patient.again(error);
      // Some hosts let other sites read a file, but not ask for a part of it.
      else if (range !== null && landing.bytes === 0) range = null;
      else throw unreachable(url);
    }
  }
}

/** Reads the file back and compares. @throws one sentence, and the file is removed */
async function verify(
  { landing, wanted, meter, cancelled }: Job,
  sleep: DownloadDeps['sleep'],
): Promise<string | null> {
  if (wanted.sha256 === null) return null;
  const total = landing.total!;
  const hash = createSha256();
  for (let at = 0; at < total; at += HASHED) {
    meter.at('verify', at, total);
    hash.update(landing.read(at, Math.min(HASHED, total - at)));
    // Lets a message that cancels in.
    await sleep(0);
    cancelled.throwIfAborted();
  }
  meter.at('verify', total, total);
  const found = hash.digest();
  if (found === wanted.sha256) return found;
  landing.spoil();
  throw invalid(
    'model file',
    wanted.name,
    `its SHA-256 is ${found.slice(0, 12)}..., the host promises ${wanted.sha256.slice(0, 12)}...; it was damaged on the way or replaced, and has been removed: download it again`,
  );
}
