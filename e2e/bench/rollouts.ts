/** The embedded maze in Node: 3 frames, 8 steps, sequential; on WASM, on onnxruntime-node, and in PyTorch when it is there. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { availableParallelism } from 'node:os';
import { rollout } from '../../models/rollout.ts';
import { parseSpec } from '../../models/run.ts';
import { openBundleFolder } from '../../workers/node/bundle.ts';
import type { NodeRuntime } from '../../workers/node/session.ts';
import { testClips } from './maze-clips.ts';
import { type Row, seconds } from './measure.ts';

const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const sampler = { mode: 'sequential', steps: 8 } as const;

export async function rollouts(): Promise<Row[]> {
  const rows: Row[] = [];
  let wasm: number | null = null;
  for (const runtime of ['wasm', 'node'] satisfies NodeRuntime[]) {
    const measured = await inNode(runtime).catch(() => null);
    if (runtime === 'wasm') wasm = measured;
    rows.push({
      what: `maze rollout in Node, ${runtime === 'wasm' ? 'WASM' : 'onnxruntime-node'}, ${String(availableParallelism())} threads`,
      value: measured === null ? 'not installed' : `${measured.toFixed(2)} s`,
      wanted: runtime === 'wasm' ? 'at most 3 s on two cores' : '',
    });
  }
  const torch = inPyTorch();
  rows.push({
    what: 'the same sampling in PyTorch on the CPU (float32)',
    value:
      torch === null
        ? 'not installed (set PYTHON to a Python with models/training/requirements.txt)'
        : `${torch.toFixed(2)} s`,
    wanted: '',
  });
  if (torch !== null && wasm !== null)
    rows.push({ what: 'ratio WASM to PyTorch', value: (wasm / torch).toFixed(2), wanted: '' });
  return rows;
}

async function inNode(runtime: NodeRuntime): Promise<number> {
  const bundle = await openBundleFolder(here('public/bundles/maze'), { runtime });
  const [clip] = await testClips(1, bundle.manifest.codec?.imageSize[0] ?? 0);
  const spec = parseSpec({ sampler }, bundle.manifest);
  const time = await seconds(
    () => rollout({ ...bundle, spec, clip: clip!, clock: () => performance.now() / 1000 }),
    5,
  );
  await bundle.close();
  return time;
}

/** Median seconds of the same rollout by models/training/bench.py, or null without PyTorch or the exported weights. */
function inPyTorch(): number | null {
  const script = here('models/training/bench.py');
  if (!existsSync(script)) return null;
  const done = spawnSync(process.env['PYTHON'] ?? 'python3', [script, '--steps', String(sampler.steps)], {
    encoding: 'utf8',
  });
  const time = Number(done.stdout.trim());
  return done.status === 0 && time > 0 ? time : null;
}
