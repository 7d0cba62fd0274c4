/** What the self-test says: the light in the header, the sheet behind it, its text for a bug report. */
import { LIMITS } from '../../../models/metrics/agreement.ts';
import type { Verdict } from '../../../models/metrics/agreement.ts';
import type { DeviceReport, GraphTest, SelfTestProgress } from '../../../workers/protocol.ts';
import type { Report } from '../stores/trust-kept.ts';
import type { Trust } from '../stores/trust.ts';

/** How the light looks; `healthy` is what could be compared with nothing. */
export type Light = Verdict | 'healthy' | 'testing' | 'unknown' | 'failed';

const LIGHT_WORDS: Readonly<Record<Light, string>> = {
  same: 'same',
  close: 'close',
  off: 'off',
  healthy: 'healthy',
  testing: 'testing',
  unknown: 'not tested',
  failed: 'failed',
};

export const TRUST_WORDS = {
  title: 'Self-test',
  /** For those who hear it. */
  spoken: (light: Light) => `Self-test: ${LIGHT_WORDS[light]}`,
  /** Beside the dot. */
  shown: (light: Light) => `self-test: ${LIGHT_WORDS[light]}`,
  lead: {
    close:
      'Close: this device rounds more coarsely than WASM, as half precision does. Measures may differ in their last digits.',
    off: 'Off: at least one graph gives wrong numbers, on WASM too, so its file is wrong. Do not trust what it predicts; fetch or build the model again.',
    healthy: 'Healthy: the numbers are finite and not all zero. There was nothing to hold them against.',
  },
  leadSame: ({ device }: Report) =>
    device.backend === 'wasm'
      ? 'Same: both ways through the network give the same numbers.'
      : 'Same: this device gives the numbers that WASM gives.',
  unknown: 'Not tested. It begins by itself when the model is loaded and nothing else is to do.',
  testing: (progress: SelfTestProgress | null) =>
    progress === null ? 'Testing' : `Testing ${progress.graph}, ${progress.index + 1} of ${progress.count}`,
  refused: 'Off: the model was not opened, because its numbers are wrong on this device.',
  failed: 'The self-test did not work.',
  noticeOff: (graphs: readonly GraphTest[]) =>
    `The self-test found wrong numbers in ${graphs
      .filter(({ verdict }) => verdict === 'off')
      .map(({ graph }) => graph)
      .join(', ')}; the light at the top shows them.`,
  now: 'Test now',
  again: 'Test again',
  copy: 'Copy as text',
  copied: 'The self-test is copied as text.',
  heads: { graph: 'Graph', result: 'Result', deviation: 'Deviation', largest: 'Largest', time: 'Time' },
  against: (against: string | null) => (against === null ? 'looked at' : `against ${against}`),
  health: {
    nan: 'NaN',
    overflow: 'infinite',
    zero: 'all zero',
    error: 'fails',
  } satisfies Record<Exclude<GraphTest['health'], 'ok'>, string>,
  milliseconds: (milliseconds: number) => `${Math.round(milliseconds)} ms`,
  none: '\u2013',
  howTitle: 'How to read it',
  how: [
    'Each graph gets a fixed input at the levels of a run. Deviation is its largest difference from the same graph on WASM (on WASM itself: from the other graph that gives the same), divided by the largest value there.',
    `Same: at most ${LIMITS.same}, which is float32 summed in another order.`,
    `Close: at most ${LIMITS.close}, which half precision or quantised weights make; in a picture at most 2.5 of 255 grey levels.`,
    'Off: more than that, or numbers that are NaN, infinite or all zero. WebGPU is then left for WASM.',
  ],
  device: ({ backend, adapter, runtime }: DeviceReport, date: string) =>
    `${backend === 'webgpu' ? 'WebGPU' : 'WASM'}, ${adapter}, ${runtime}; tested ${new Date(date).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}.`,
} as const;

export function lightOf(trust: Trust): Light {
  switch (trust.status) {
    case 'done':
      return trust.report.verdict ?? 'healthy';
    case 'refused':
      return 'off';
    default:
      return trust.status;
  }
}

export function lightOfGraph({ health, verdict }: Pick<GraphTest, 'health' | 'verdict'>): Light {
  return health === 'ok' ? (verdict ?? 'healthy') : 'off';
}

/** The report in a sentence or two. */
export function leadOf(report: Report): string {
  const light = report.verdict ?? 'healthy';
  return light === 'same' ? TRUST_WORDS.leadSame(report) : TRUST_WORDS.lead[light];
}

/** The graph's result in a word: what is wrong with its numbers, or its verdict. */
export function resultOf({ health, verdict }: GraphTest): string {
  if (health !== 'ok') return TRUST_WORDS.health[health];
  return LIGHT_WORDS[verdict ?? 'healthy'];
}

/** 0, 3.1e-7, 0.0012: two digits. */
export function deviationWords(deviation: number | null): string {
  if (deviation === null) return TRUST_WORDS.none;
  if (deviation === 0) return '0';
  return deviation < 1e-3 ? deviation.toExponential(1) : String(Number(deviation.toPrecision(2)));
}

/** Three digits. */
export function largestWords(largest: number | null): string {
  return largest === null ? TRUST_WORDS.none : String(Number(largest.toPrecision(3)));
}

/** Why graphs were only looked at, or failed: each sentence once, with the graphs that it is about. */
export function notesOf(graphs: readonly GraphTest[]): readonly string[] {
  const about = new Map<string, string[]>();
  for (const { note, graph } of graphs) {
    if (note !== null) about.set(note, [...(about.get(note) ?? []), graph]);
  }
  return [...about].map(([note, names]) => `${names.join(', ')}: ${note}`);
}

/** The whole report as lines of text. */
export function reportText({ device, graphs, verdict, date }: Report, title: string): string {
  const rows = graphs.map((graph) =>
    [
      graph.graph,
      resultOf(graph),
      `deviation ${deviationWords(graph.deviation)}`,
      TRUST_WORDS.against(graph.against),
      `largest ${largestWords(graph.largest)}`,
      TRUST_WORDS.milliseconds(graph.milliseconds),
    ].join(', '),
  );
  return [
    `${TRUST_WORDS.title}: ${LIGHT_WORDS[verdict ?? 'healthy']}`,
    title,
    `${device.backend}, ${device.adapter}, threads: ${device.threads}, ${device.runtime}`,
    date,
    ...rows,
    ...notesOf(graphs),
    ...device.fallbacks,
  ].join('\n');
}
