/** `npx tsx src/cli/maze-record.ts`: the results that the page shows before any weights arrive, one for each served clip. */
import { cpus } from 'node:os';
import { join } from 'node:path';
import { readClip } from '../../models/clip.ts';
import { writeRecording } from '../../models/recording.ts';
import { rollout } from '../../models/rollout.ts';
import { defaultSpec } from '../../models/run.ts';
import { openBundleFolder } from '../../workers/node/bundle.ts';
import type { Command } from './command.ts';
import { readBytes, readJson, writeWhole } from './files.ts';
import { runAlone } from './standalone.ts';

const command: Command = {
  summary: 'Runs the embedded maze on every served clip as the page would and writes public/recorded.',
  usage: '',
  options: {
    bundle: { type: 'string', value: 'DIR', help: 'model bundle (default public/bundles/maze)' },
    out: { type: 'string', value: 'DIR', help: 'folder to write (default public/recorded)' },
  },
  async run(args) {
    const folder = args.text('out') ?? 'public/recorded';
    const bundle = await openBundleFolder(args.text('bundle') ?? 'public/bundles/maze', {
      runtime: 'auto',
      threads: undefined,
    });
    const { clips } = (await readJson('public/clips/index.json')) as {
      clips: { id: string; file: string; world: string }[];
    };
    for (const { id, file } of clips.filter(({ world }) => world === bundle.manifest.world)) {
      const clip = readClip(await readBytes(join('public/clips', file)), file);
      const spec = defaultSpec(bundle.manifest, id);
      const result = await rollout({
        ...bundle,
        spec,
        clip,
        signal: args.stopped,
        clock: () => performance.now() / 1000,
      });
      const { runtime } = result.provenance;
      const device = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${runtime}`;
      const { json, npz } = writeRecording(result, device, new Date().toISOString().slice(0, 10));
      await writeWhole(join(folder, `${id}.json`), json);
      await writeWhole(join(folder, `${id}.npz`), npz);
      process.stderr.write(
        `${id}  ${result.timings.total.toFixed(2)} s  ${String(json.length + npz.length)} bytes\n`,
      );
    }
    await bundle.close();
  },
};

await runAlone('maze:record', command);
