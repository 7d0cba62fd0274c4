import { expect, test } from 'vitest';
import { seededRandom } from '../../../models/array/random.ts';
import { PlaygroundError } from '../../../models/errors.ts';
import { downloadRig, PIECE, sha256Of } from '../../testing/downloads.ts';
import type { DownloadRig } from '../../testing/downloads.ts';
import type { Fault } from '../../testing/host.ts';

const SIZE = 6 * PIECE + 77;

/** Half of all requests are served well. */
function faultOf(random: () => number): Fault {
  const at = Math.floor(random() * PIECE);
  const kinds: Fault[] = [
    { breakAfter: at },
    { breakAfter: 0 },
    { silentAfter: at },
    { status: 503, body: '' },
    { status: 429, headers: { 'retry-after': '2' }, body: '' },
    { refuse: true },
    { whole: true },
    { whole: true, breakAfter: 3 * at },
    { headers: { etag: `"${String(at)}"` } },
    { headers: { 'content-range': `bytes ${String(at)}-${String(at + 9)}/${String(SIZE)}` } },
    { headers: { 'content-range': null } },
    { headers: { 'content-length': null, 'transfer-encoding': 'chunked' } },
    { headers: { 'content-type': 'text/html' } },
    { delay: 5 },
  ];
  return random() < 0.5 ? {} : kinds[Math.floor(random() * kinds.length)]!;
}

test('whatever a host does, the file comes as it is or a sentence comes, and the next visit can finish', async () => {
  const rig = await downloadRig();
  try {
    const ends = { came: 0, refused: 0, cancelled: 0 };
    for (let seed = 0; seed < 60; seed++) {
      const bytes = rig.put('model.bin', SIZE);
      const random = seededRandom(seed);
      rig.host.fault = () => faultOf(random);
      for (let visit = 0; visit < 2; visit++) ends[await visitOnce(rig, random)]++;
      rig.host.fault = () => ({});
      await rig.get('model.bin');
      expect(sha256Of(rig.disk.bytes('model.bin')!), `seed ${String(seed)}`).toBe(sha256Of(bytes));
      await rig.disk.remove('model.bin');
    }
    for (const [end, count] of Object.entries(ends)) expect(count, end).toBeGreaterThan(5);
  } finally {
    await rig.close();
  }
});

async function visitOnce(rig: DownloadRig, random: () => number): Promise<'came' | 'refused' | 'cancelled'> {
  const controller = new AbortController();
  const limit = random() < 0.3 ? random() * SIZE : Infinity;
  try {
    await rig.get('model.bin', {
      cancelled: controller.signal,
      settings: { silence: 2000 },
      onProgress: ({ bytes }) => void (bytes >= limit && controller.abort()),
    });
    return 'came';
  } catch (error) {
    expect(error).toBeInstanceOf(PlaygroundError);
    return (error as Error).name === 'aborted' ? 'cancelled' : 'refused';
  }
}
