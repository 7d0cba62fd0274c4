import { expose } from 'comlink';
import { describe, expect, it } from 'vitest';
import { own } from './owner.ts';
import type { WorkerLike } from './owner.ts';

interface Doubler {
  double(value: number): number;
  never(): Promise<number>;
}

/** A worker's two ends in one thread: a real MessageChannel with comlink on both sides, and a way to break it. */
function startable() {
  const started: { breakIt: (message?: string) => void; ended: boolean }[] = [];
  const start = (): WorkerLike => {
    const { port1, port2 } = new MessageChannel();
    expose({ double: (value: number) => value * 2, never: () => new Promise(() => undefined) }, port2);
    const events = new EventTarget();
    const record = {
      ended: false,
      breakIt: (message?: string) =>
        events.dispatchEvent(Object.assign(new Event('error'), message === undefined ? {} : { message })),
    };
    started.push(record);
    port1.start();
    return {
      postMessage: (message: unknown, transfer?: Transferable[]) =>
        port1.postMessage(message, transfer ?? []),
      addEventListener: (type: string, listener: (event: never) => void) =>
        (type === 'message' ? port1 : events).addEventListener(type, listener as EventListener),
      removeEventListener: (type: string, listener: (event: never) => void) =>
        (type === 'message' ? port1 : events).removeEventListener(type, listener as EventListener),
      terminate: () => {
        record.ended = true;
        port1.close();
        port2.close();
      },
    } as WorkerLike;
  };
  return { start, started };
}

describe('own', () => {
  it('starts the worker with the first call and keeps it', async () => {
    const { start, started } = startable();
    const owner = own<Doubler>('test worker', start, () => undefined);
    expect(started).toHaveLength(0);
    expect(await owner.call((remote) => remote.double(4))).toBe(8);
    expect(await owner.call((remote) => remote.double(5))).toBe(10);
    expect(started).toHaveLength(1);
    owner.end();
  });

  it('rejects the calls of a worker that breaks, says so once, and starts a fresh one', async () => {
    const { start, started } = startable();
    const said: string[] = [];
    const owner = own<Doubler>('test worker', start, (sentence) => said.push(sentence));
    const waiting = owner.call((remote) => remote.never());
    const refused = expect(waiting).rejects.toThrow(
      'missing test worker: out of memory; it starts again with the next try',
    );
    started[0]!.breakIt('out of memory\n  at somewhere');
    started[0]!.breakIt('again');
    await refused;
    expect(said).toHaveLength(1);
    expect(started[0]!.ended).toBe(true);
    expect(await owner.call((remote) => remote.double(21))).toBe(42);
    expect(started).toHaveLength(2);
    owner.end();
  });

  it('tells a file that did not arrive from a worker that stopped later', async () => {
    const { start, started } = startable();
    const owner = own<Doubler>('test worker', start, () => undefined);
    const first = owner.call((remote) => remote.never());
    const absent = expect(first).rejects.toThrow(
      'missing test worker: its file did not arrive; check the connection, or that the folder at the host is complete, and try again',
    );
    started[0]!.breakIt();
    await absent;
    expect(await owner.call((remote) => remote.double(1))).toBe(2);
    const second = owner.call((remote) => remote.never());
    const stopped = expect(second).rejects.toThrow(
      'missing test worker: it stopped without a reason; it starts again with the next try',
    );
    started[1]!.breakIt();
    await stopped;
  });

  it('says whether somebody waits for the worker that broke, and so hears of it', async () => {
    const { start, started } = startable();
    const heard: boolean[] = [];
    const owner = own<Doubler>('test worker', start, (_, is) => heard.push(is));
    const waiting = owner.call((remote) => remote.never()).catch(() => undefined);
    started[0]!.breakIt('at work');
    await waiting;
    await owner.call((remote) => remote.double(1));
    started[1]!.breakIt('in between');
    expect(heard).toEqual([true, false]);
  });

  it('ends quietly: calls under way are aborted, not failed', async () => {
    const { start, started } = startable();
    const said: string[] = [];
    const owner = own<Doubler>('test worker', start, (sentence) => said.push(sentence));
    const waiting = owner.call((remote) => remote.never());
    const refused = expect(waiting).rejects.toMatchObject({ name: 'aborted' });
    owner.end();
    await refused;
    expect(said).toEqual([]);
    expect(started[0]!.ended).toBe(true);
  });
});
