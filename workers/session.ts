/** What running a graph means, whatever the runtime. Types only: the page's worker and Node implement it. */
import type { Tensor } from '../models/array/tensor.ts';

/** Name -> tensor, as the graph calls its inputs or outputs. */
export type Feeds = Readonly<Record<string, Tensor>>;

export interface GraphSession {
  /** Names in the order of the file. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The runtime that was found, its version and what it runs on, for the provenance of a number. */
  readonly runtime: string;
  /**
   * Runs the graph once; calls queue up, one at a time.
   * @param outputs what to give; all when left out. What nobody asks for is not copied out of the runtime
   * @throws a sentence about a wrong or missing input
   */
  run(feeds: Feeds, outputs?: readonly string[]): Promise<Record<string, Tensor>>;
  /** Frees the runtime's memory; no run may follow. */
  release(): Promise<void>;
}
