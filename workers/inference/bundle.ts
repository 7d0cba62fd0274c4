/** Opens a bundle: manifest, weights, then the first rung of the ladder on which its graphs work. */
import { filesOfGraph, parseManifest } from '../../models/bundle/manifest.ts';
import type { Manifest } from '../../models/bundle/manifest.ts';
import { PlaygroundError } from '../../models/errors.ts';
import { fingerprintOf } from '../../models/fingerprint.ts';
import { checkOutputs, denoiserParts } from '../graphs.ts';
import type { Graphs } from '../graphs.ts';
import type { DeviceReport, DeviceSpeed, Distrust, LoadProgress, Opened } from '../protocol.ts';
import type { GraphSession } from '../session.ts';
import type { Backend } from './device.ts';
import { downloadJson } from './download.ts';
import { climb } from './ladder.ts';
import { DeviceLost } from './loss.ts';
import type { OpenPlatform } from './platform.ts';
import { openSession } from './session.ts';
import type { GraphFile } from './session.ts';
import { settled, warmUp, warmUpFeeds } from './speed.ts';
import { loadWeights } from './weights.ts';
import type { Sources } from './weights.ts';
import { firstLine } from './words.ts';

/** What opening needs from the worker around it. */
export interface Host extends Sources {
  readonly openPlatform: (backend: Backend) => Promise<OpenPlatform>;
}

export interface OpenBundle {
  readonly opened: Opened;
  readonly sessions: Graphs;
  /** Why `cached` is not among them although the bundle has it: a sentence. */
  readonly refused: string | null;
  close(): Promise<void>;
}

/**
 * @param url the bundle's folder, with a slash at its end
 * @param rungs backends to try, best first
 * @param before sentences about rungs that were left earlier
 * @param distrusted devices that gave wrong numbers earlier
 * @throws one sentence: manifest, weights, or the last backend's reason
 */
export async function openBundle(
  url: string,
  rungs: readonly Backend[],
  before: readonly string[],
  host: Host,
  onProgress: (progress: LoadProgress) => void,
  distrusted: readonly Distrust[] = [],
): Promise<OpenBundle> {
  const manifest = parseManifest(await downloadJson(host.fetch, new URL('manifest.json', url).href));
  const { stored, notes, climbed } = await openGraphs(
    manifest,
    url,
    rungs,
    { ...host, openPlatform: trusting(host.openPlatform, manifest, distrusted) },
    onProgress,
  );
  const { value, fallbacks } = climbed;
  const { platform, sessions, refused, speed } = value;
  const refusals = refused === null ? [] : [refused];
  const device: DeviceReport = {
    ...platform.report,
    fallbacks: [...before, ...fallbacks, ...refusals, ...platform.report.fallbacks],
  };
  return {
    opened: { manifest, device, speed, stored, notes },
    sessions,
    refused,
    close: () => closeAll(sessions, platform),
  };
}

/** Opens platforms, but none whose numbers were wrong for this bundle. */
function trusting(
  openPlatform: Host['openPlatform'],
  manifest: Manifest,
  distrusted: readonly Distrust[],
): Host['openPlatform'] {
  const bundle = fingerprintOf(manifest);
  return async (backend) => {
    const platform = await openPlatform(backend);
    const { adapter, runtime } = platform.report;
    const found = distrusted.find(
      (one) => one.bundle === bundle && one.adapter === adapter && one.runtime === runtime,
    );
    if (!found) return platform;
    platform.close();
    throw new PlaygroundError('unsupported', found.sentence);
  };
}

/** A function of its own, so that nothing which outlives it (`close` above) keeps the files in memory. */
async function openGraphs(
  manifest: Manifest,
  url: string,
  rungs: readonly Backend[],
  host: Host,
  onProgress: (progress: LoadProgress) => void,
) {
  const files = new Map<string, Uint8Array>();
  let stored = true;
  const notes = new Set<string>();
  /** Fetches what these graphs need and is not here yet. */
  const load = async (graphs: readonly string[]): Promise<void> => {
    const names = new Set(graphs.flatMap((graph) => filesOfGraph(manifest, graph)));
    const wanted = [...names]
      .map((name) => ({ url: new URL(name, url).href, ...manifest.files[name]! }))
      .filter((file) => !files.has(file.url));
    if (wanted.length === 0) return;
    const weights = await loadWeights(wanted, host, onProgress);
    for (const [file, bytes] of weights.files) files.set(file, bytes);
    for (const note of weights.notes) notes.add(note);
    stored &&= weights.stored;
  };
  const tell = (stage: 'compile' | 'warm-up', file: string): void => {
    const loadedBytes = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
    onProgress({ stage, file, loadedBytes, totalBytes: loadedBytes, stored, secondsLeft: null });
  };
  const graph = async (name: string): Promise<GraphFile> => {
    await load([name]);
    const [model, ...shards] = filesOfGraph(manifest, name);
    const bytes = (file: string): Uint8Array => files.get(new URL(file, url).href)!;
    return { name, model: bytes(model!), shards: shards.map((path) => ({ path, data: bytes(path) })) };
  };
  await load(graphsOfRun(manifest));
  const climbed = await climb(rungs, (rung) => openOn(rung, manifest, graph, host, tell));
  return { stored, notes: [...notes], climbed };
}

/** The graphs that a run needs; a perceptual distance is loaded by whoever measures with it. */
function graphsOfRun(manifest: Manifest): string[] {
  const { denoiser, codec } = manifest;
  const [first] = denoiserParts(manifest);
  const network = first && denoiser?.graphs[first];
  return [network, codec?.graphs.encode, codec?.graphs.decode].filter((name) => name !== undefined);
}

interface OnRung {
  readonly platform: OpenPlatform;
  readonly sessions: Graphs;
  readonly refused: string | null;
  readonly speed: DeviceSpeed;
}

/** What a run needs on one backend, each graph run. What was opened is closed again when one fails. */
async function openOn(
  rung: Backend,
  manifest: Manifest,
  graph: (name: string) => Promise<GraphFile>,
  host: Host,
  tell: (stage: 'compile' | 'warm-up', file: string) => void,
): Promise<OnRung> {
  const platform = await host.openPlatform(rung);
  const sessions: { -readonly [K in keyof Graphs]: Graphs[K] } = {
    window: null,
    cached: null,
    encode: null,
    decode: null,
  };
  const seconds = { window: 0, cached: 0, encode: 0, decode: 0 };
  const names = { ...manifest.denoiser?.graphs, ...manifest.codec?.graphs };
  const feeds = warmUpFeeds(manifest);
  const open = async (part: keyof Graphs): Promise<void> => {
    const name = names[part];
    if (name === undefined) return;
    const file = await graph(name);
    tell('compile', name);
    const session = await openSession(platform, file);
    sessions[part] = session;
    checkOutputs(session, part, name, manifest);
    tell('warm-up', name);
    seconds[part] = await warmUp(session, feeds[part], name, host.now);
  };
  /** The sentence about `cached`, when it does not work and `window` does. */
  const openDenoiser = async (): Promise<string | null> => {
    const [first, second] = denoiserParts(manifest);
    if (first === undefined) return null;
    try {
      await open(first);
      return null;
    } catch (error) {
      if (second === undefined || error instanceof DeviceLost) throw error;
      await sessions[first]?.release();
      sessions[first] = null;
      await open(second);
      return `Every frame is computed in every row, because this device does not run cached.onnx (${firstLine(error)}).`;
    }
  };
  let refused: string | null;
  try {
    refused = await openDenoiser();
    await open('encode');
    await open('decode');
    for (const [part, session] of Object.entries(sessions) as [keyof Graphs, GraphSession | null][])
      if (session) seconds[part] = await settled(session, feeds[part], seconds[part], host.now);
  } catch (error) {
    await closeAll(sessions, platform);
    throw error;
  }
  const { frames = 1 } = manifest.denoiser?.architecture ?? {};
  const networkFrame = sessions.cached ? seconds.cached : seconds.window / frames;
  const speed = { networkFrame, encodeFrame: seconds.encode, decodeFrame: seconds.decode };
  return { platform, sessions, refused, speed };
}

/** A lost device cannot release its sessions; that must not hide what is being told about it. */
async function closeAll(sessions: Graphs, platform: OpenPlatform): Promise<void> {
  for (const session of Object.values(sessions) as (GraphSession | null)[]) {
    await session?.release().catch(() => undefined);
  }
  platform.close();
}
