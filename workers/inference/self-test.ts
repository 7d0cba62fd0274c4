/**
 * The self-test of an open bundle: each graph that it runs on a fixed input, held against WASM, which is slow and
 * right. On WASM itself the two routes through the network, `cached` and `window`, are held against each other; the
 * codec has one route only, and its numbers are just looked at.
 */
import { aborted, PlaygroundError } from '../../models/errors.ts';
import { deviationOf, healthOf, largestOf, verdictOf, worstOf } from '../../models/metrics/agreement.ts';
import { checkOutputs } from '../graphs.ts';
import type { Graphs } from '../graphs.ts';
import type { GraphTest, SelfTest, SelfTestProgress } from '../protocol.ts';
import type { Host, OpenBundle } from './bundle.ts';
import { bytesOf, loadGraph } from './load-graph.ts';
import { DeviceLost } from './loss.ts';
import type { OpenPlatform } from './platform.ts';
import { probesOf } from './probes.ts';
import { openSession } from './session.ts';
import { firstLine } from './words.ts';

/**
 * Bytes of one graph that WASM is given to compare with: its heap ends at 4 GiB, and what it took once it keeps
 * until the worker ends.
 */
const MOST = 512 * 2 ** 20;
/** The same where this browser keeps no weights, so that they would come from the network a second time. */
const MOST_AGAIN = 64 * 2 ** 20;
/** Bytes that may be fetched for the other route, beyond what the bundle's open graphs have. */
const MOST_EXTRA = 4 * 2 ** 20;
/** Seconds that one call of the other route may take. */
const LONGEST = 5;

interface Reference {
  /** What it is, in words. */
  readonly against: string;
  readonly values: Float32Array;
}

/** Where a graph can be compared, or the sentence that says why it is not. */
type Route = { readonly part: keyof Graphs; readonly graph: string; readonly against: string } | string;

/**
 * @param url the bundle's folder
 * @param cancelled looked at between calls of graphs
 * @throws aborted; DeviceLost. What a graph or its reference throws is part of the result
 */
export async function selfTest(
  { opened, sessions }: OpenBundle,
  url: string,
  host: Host,
  tell: (progress: SelfTestProgress) => void,
  cancelled: () => boolean,
): Promise<Omit<SelfTest, 'reopened'>> {
  const { manifest, device } = opened;
  const names = { ...manifest.denoiser?.graphs, ...manifest.codec?.graphs };
  const probes = probesOf(manifest);
  const parts = (['cached', 'window', 'encode', 'decode'] as const).filter((part) => sessions[part]);
  let platform: OpenPlatform | null = null;
  const heed = (): void => {
    if (cancelled()) throw aborted('the self-test');
  };

  /** One graph on WASM, opened for this and freed again: at no time are there two. */
  const compute = async (part: keyof Graphs, graph: string): Promise<Float32Array> => {
    platform ??= await host.openPlatform('wasm');
    const file = await loadGraph(manifest, url, graph, host);
    heed();
    const session = await openSession(platform, file);
    try {
      heed();
      checkOutputs(session, part, graph, manifest);
      return await probes[part](session);
    } finally {
      await session.release();
    }
  };

  const refer = async (part: keyof Graphs): Promise<Reference | string> => {
    const route = routeOf(part, opened);
    if (typeof route === 'string') return route;
    try {
      return { against: route.against, values: await compute(route.part, route.graph) };
    } catch (error) {
      if (isAbort(error)) throw error;
      return `It could not be compared: ${firstLine(error)}.`;
    }
  };

  const graphs: GraphTest[] = [];
  try {
    for (const [index, part] of parts.entries()) {
      const graph = names[part]!;
      tell({ graph, index, count: parts.length });
      heed();
      const began = host.now();
      const values = await tried(() => probes[part](sessions[part]!));
      const milliseconds = host.now() - began;
      heed();
      const row = { graph, backend: device.backend, milliseconds };
      graphs.push(
        typeof values === 'string'
          ? { ...row, ...FAILED, note: values }
          : { ...row, ...judged(values, await refer(part)) },
      );
    }
  } finally {
    (platform as OpenPlatform | null)?.close();
  }
  return { device, graphs, verdict: worstOf(graphs.map(({ verdict }) => verdict)) };
}

const FAILED = {
  against: null,
  largest: null,
  deviation: null,
  health: 'error',
  reference: null,
  verdict: 'off',
} as const;

/** What the graph gives, or the sentence that it fails with on this input although it ran on warm-up's. */
async function tried(run: () => Promise<Float32Array>): Promise<Float32Array | string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof DeviceLost || isAbort(error)) throw error;
    return `It fails: ${firstLine(error)}.`;
  }
}

function judged(
  values: Float32Array,
  reference: Reference | string,
): Omit<GraphTest, 'graph' | 'backend' | 'milliseconds'> {
  const health = healthOf(values);
  const largest = finite(largestOf(values));
  if (typeof reference === 'string') {
    const verdict = verdictOf(health, null);
    return { against: null, largest, deviation: null, health, reference: null, verdict, note: reference };
  }
  // One route may give fewer frames than the other; they are the same ones, from the first.
  const length = Math.min(values.length, reference.values.length);
  const other = reference.values.subarray(0, length);
  const deviation = deviationOf(values.subarray(0, length), other);
  return {
    against: reference.against,
    largest,
    deviation: finite(deviation),
    health,
    reference: healthOf(other),
    verdict: verdictOf(health, deviation),
    note: null,
  };
}

/** Numbers that are none, or infinite, do not survive JSON; the health says what they were. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function routeOf(part: keyof Graphs, { manifest, device, notes, speed }: OpenBundle['opened']): Route {
  const { denoiser, codec } = manifest;
  const graph = { ...denoiser?.graphs, ...codec?.graphs }[part]!;
  if (device.backend === 'webgpu') {
    const bytes = bytesOf(manifest, [graph]);
    if (bytes > MOST)
      return 'It is too large to be computed on WASM as well; its numbers were only looked at.';
    if (notes.length > 0 && bytes > MOST_AGAIN) {
      return 'This browser keeps no weights, and they were not fetched again; its numbers were only looked at.';
    }
    return { part, graph, against: 'WASM' };
  }
  const alone = 'WASM is what others are held against; its numbers were only looked at.';
  const window = denoiser?.graphs.window;
  if (part !== 'cached' || window === undefined) return alone;
  const extra = bytesOf(manifest, [graph, window]) - bytesOf(manifest, [graph]);
  const seconds = speed.networkFrame * denoiser!.architecture.frames;
  if (extra > MOST_EXTRA || seconds > LONGEST) {
    return `${window} gives the same on another route, but would take too long; its numbers were only looked at.`;
  }
  return { part: 'window', graph: window, against: window };
}

function isAbort(error: unknown): boolean {
  return error instanceof PlaygroundError && error.name === 'aborted';
}

/**
 * Why the backend is to be left, in one sentence; null when it is not: nothing is off, it is WASM already, or WASM
 * gives no better numbers.
 */
export function reasonToLeave({ device, graphs }: Pick<SelfTest, 'device' | 'graphs'>): string | null {
  if (device.backend === 'wasm') return null;
  const bad = graphs.filter(
    ({ verdict, reference }) => verdict === 'off' && (reference === null || reference === 'ok'),
  );
  if (bad.length === 0) return null;
  return `WebGPU was left, because its numbers were wrong in the self-test: ${bad.map(whatIsWrong).join(', ')}.`;
}

const FAULTS = {
  nan: 'gives numbers that are not numbers',
  overflow: 'gives infinite numbers',
  zero: 'gives nothing but zeros',
  error: 'fails',
} as const;

function whatIsWrong({ graph, health, deviation, against }: GraphTest): string {
  if (health !== 'ok') return `${graph} ${FAULTS[health]}`;
  if (deviation === null) return `${graph} gives something else than ${against ?? 'WASM'}`;
  return `${graph} differs from ${against ?? 'WASM'} by ${Number((deviation * 100).toPrecision(2))} %`;
}
