/** Self-tests that this browser keeps, so that a reload need not repeat them: one for each bundle on each device. */
import type { DeviceReport, Distrust, SelfTest } from '../../../workers/protocol.ts';

/** What a self-test found, and when. */
export interface Report extends Pick<SelfTest, 'device' | 'graphs' | 'verdict'> {
  /** ISO 8601. */
  readonly date: string;
}

interface Entry {
  readonly bundle: string;
  readonly report: Report;
  /** Why this device was left for this bundle; null when it was not. */
  readonly left: string | null;
}

export interface TrustKept {
  /** @param bundle models/fingerprint.ts */
  find(bundle: string, device: DeviceReport): Report | null;
  /** @param left why the device was left because of it; null when it was not */
  keep(bundle: string, report: Report, left: string | null): void;
  /** Forgets what is known of the bundle, on every device. */
  drop(bundle: string): void;
  /** Devices that were left. */
  distrusted(): readonly Distrust[];
}

const KEY = 'nanowm-playground-trust-1';
/** Bundles times devices; the oldest goes. */
const MOST = 40;

/** @param storage may throw (private windows): then nothing is kept */
export function createTrustKept(storage: () => Pick<Storage, 'getItem' | 'setItem'>): TrustKept {
  const read = (): Entry[] => {
    try {
      const json: unknown = JSON.parse(storage().getItem(KEY) ?? '[]');
      return Array.isArray(json) ? json.filter(isEntry) : [];
    } catch {
      return [];
    }
  };
  const write = (entries: readonly Entry[]): void => {
    try {
      storage().setItem(KEY, JSON.stringify(entries.slice(-MOST)));
    } catch {
      // It is tested again next time.
    }
  };
  return {
    find: (bundle, device) =>
      read().find((entry) => entry.left === null && entry.bundle === bundle && sameDevice(entry, device))
        ?.report ?? null,
    keep: (bundle, report, left) => {
      const others = read().filter((entry) => entry.bundle !== bundle || !sameDevice(entry, report.device));
      write([...others, { bundle, report, left }]);
    },
    drop: (bundle) => write(read().filter((entry) => entry.bundle !== bundle)),
    distrusted: () =>
      read().flatMap(({ bundle, report, left }) =>
        left === null
          ? []
          : [{ bundle, adapter: report.device.adapter, runtime: report.device.runtime, sentence: left }],
      ),
  };
}

/** Another version of the runtime, or of the driver, is another device. */
function sameDevice({ report }: Entry, { backend, adapter, runtime }: DeviceReport): boolean {
  const { device } = report;
  return device.backend === backend && device.adapter === adapter && device.runtime === runtime;
}

/** What another version of the page, or somebody by hand, may have left there is no report. */
function isEntry(value: unknown): value is Entry {
  const { bundle, report, left } = (value ?? {}) as Partial<Entry>;
  return (
    typeof bundle === 'string' &&
    (left === null || typeof left === 'string') &&
    typeof report?.date === 'string' &&
    Array.isArray(report.graphs) &&
    typeof report.device?.adapter === 'string'
  );
}
