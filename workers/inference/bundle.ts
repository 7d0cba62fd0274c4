/** Opens a bundle: manifest, weights, then the first rung of the ladder on which its graphs work. */
import { filesOfGraph, parseManifest } from '../../models/bundle/manifest.ts';
import type { Manifest } from '../../models/bundle/manifest.ts';
import { checkOutputs } from '../graphs.ts';
import type { DeviceReport, DeviceSpeed, LoadProgress, Opened } from '../protocol.ts';
import type { GraphSession } from '../session.ts';
import type { Backend } from './device.ts';
import { downloadJson } from './download.ts';
import { climb } from './ladder.ts';
import type { OpenPlatform } from './platform.ts';
import { openSession } from './session.ts';
import type { GraphFile } from './session.ts';
import { warmUp, warmUpFeeds } from './speed.ts';
import { loadWeights } from './weights.ts';
import type { Sources, Weights } from './weights.ts';

/** What opening needs from the worker around it. */
export interface Host extends Sources {
  readonly openPlatform: (backend: Backend) => Promise<OpenPlatform>;
}

/** The graphs that a run uses; null where the bundle has none. */
export interface Sessions {
  readonly window: GraphSession | null;
  readonly encode: GraphSession | null;
  readonly decode: GraphSession | null;
}

export interface OpenBundle {
  readonly opened: Opened;
  readonly sessions: Sessions;
  close(): Promise<void>;
}

/**
 * @param url the bundle's folder, with a slash at its end
 * @param rungs backends to try, best first
 * @param before sentences about rungs that were left earlier
 * @throws one sentence: manifest, weights, or the last backend's reason
 */
export async function openBundle(
  url: string,
  rungs: readonly Backend[],
  before: readonly string[],
  host: Host,
  onProgress: (progress: LoadProgress) => void,
): Promise<OpenBundle> {
  const manifest = parseManifest(await downloadJson(host.fetch, new URL('manifest.json', url).href));
  const { stored, notes, climbed } = await openGraphs(manifest, url, rungs, host, onProgress);
  const { value, fallbacks } = climbed;
  const device: DeviceReport = {
    ...value.platform.report,
    fallbacks: [...before, ...fallbacks, ...value.platform.report.fallbacks],
  };
  return {
    opened: { manifest, device, speed: value.speed, stored, notes },
    sessions: value.sessions,
    close: () => closeAll(value.sessions, value.platform),
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
  const names = graphsOfRun(manifest).flatMap((graph) => filesOfGraph(manifest, graph));
  const files = names.map((name) => ({ url: new URL(name, url).href, ...manifest.files[name]! }));
  const weights = await loadWeights(files, host, onProgress);
  const { stored, notes } = weights;
  const totalBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const tell = (stage: 'compile' | 'warm-up', file: string): void =>
    onProgress({ stage, file, loadedBytes: totalBytes, totalBytes, stored, secondsLeft: null });
  const graph = (name: string): GraphFile => graphFile(manifest, weights, url, name);
  const climbed = await climb(rungs, (rung) => openOn(rung, manifest, graph, host, tell));
  return { stored, notes, climbed };
}

/** The graphs that a run needs; a perceptual distance is loaded by whoever measures with it. */
function graphsOfRun({ denoiser, codec }: Manifest): string[] {
  return [denoiser?.graphs.window, codec?.graphs.encode, codec?.graphs.decode].filter(
    (name) => name !== undefined,
  );
}

function graphFile(manifest: Manifest, weights: Weights, url: string, name: string): GraphFile {
  const [model, ...shards] = filesOfGraph(manifest, name);
  const bytes = (file: string): Uint8Array => weights.files.get(new URL(file, url).href)!;
  return { name, model: bytes(model!), shards: shards.map((path) => ({ path, data: bytes(path) })) };
}

interface OnRung {
  readonly platform: OpenPlatform;
  readonly sessions: Sessions;
  readonly speed: DeviceSpeed;
}

/** All graphs on one backend, each of them run. What was opened is closed again when one fails. */
async function openOn(
  rung: Backend,
  manifest: Manifest,
  graph: (name: string) => GraphFile,
  host: Host,
  tell: (stage: 'compile' | 'warm-up', file: string) => void,
): Promise<OnRung> {
  const platform = await host.openPlatform(rung);
  const sessions: { -readonly [K in keyof Sessions]: Sessions[K] } = {
    window: null,
    encode: null,
    decode: null,
  };
  const seconds = { window: 0, encode: 0, decode: 0 };
  const names = { ...manifest.denoiser?.graphs, ...manifest.codec?.graphs };
  const feeds = warmUpFeeds(manifest);
  try {
    for (const part of ['window', 'encode', 'decode'] as const) {
      const name = names[part];
      if (name === undefined) continue;
      tell('compile', name);
      const session = await openSession(platform, graph(name));
      sessions[part] = session;
      checkOutputs(session, part, name);
      tell('warm-up', name);
      seconds[part] = await warmUp(session, feeds[part], name, host.now);
    }
  } catch (error) {
    await closeAll(sessions, platform);
    throw error;
  }
  const speed = { windowCall: seconds.window, encodeFrame: seconds.encode, decodeFrame: seconds.decode };
  return { platform, sessions, speed };
}

/** A lost device cannot release its sessions; that must not hide what is being told about it. */
async function closeAll(sessions: Sessions, platform: OpenPlatform): Promise<void> {
  for (const session of Object.values(sessions) as (GraphSession | null)[]) {
    await session?.release().catch(() => undefined);
  }
  platform.close();
}
