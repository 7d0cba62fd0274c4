/** The command of `npm run maze:clips`. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeClip } from '../../../models/clip.ts';
import { parseWith } from '../../../models/schema.ts';
import { mazeClip } from '../../../models/worlds/maze/clip.ts';
import { SEEDS, makeEpisode } from '../../../models/worlds/maze/episode.ts';
import { pickEpisodes, traceEpisode } from '../../../models/worlds/maze/gallery.ts';
import { MAZE_NAMES, mazeMap } from '../../../models/worlds/maze/maps.ts';
import { FRAMES_PER_SECOND } from '../../../models/worlds/maze/model.ts';
import { mazeView } from '../../../models/worlds/maze/render.ts';
import { createMaze } from '../../../workers/mujoco/simulator.ts';
import { mujocoInNode } from '../../../workers/node/mujoco.ts';
import type { Command } from '../command.ts';
import { checkFolder, outputFolder, readJson, writeWhole } from '../files.ts';

/** One entry of index.json. */
interface ClipEntry {
  readonly id: string;
  readonly title: string;
  readonly world: string;
  readonly map: string;
  /** Beside index.json. */
  readonly file: string;
  readonly frames: number;
  readonly size: number;
  /** Model frames in a second of the world's time. */
  readonly fps: number;
  readonly seed: number;
  /** Number of the episode within the seed. */
  readonly episode: number;
  readonly bytes: number;
  readonly sha256: string;
}

export const command: Command = {
  summary:
    'Picks twelve varied episodes of seed 4 and writes maze-NN.npz and index.json (other worlds stay in it).',
  usage: '',
  options: {
    out: { type: 'string', value: 'DIR', help: 'folder to write (default public/clips)' },
    size: { type: 'string', value: 'PIXELS', help: 'side of the frames, 16 to 1024 (default 64)' },
    frames: { type: 'string', value: 'T', help: 'model frames in a clip (default 4)' },
    map: { type: 'string', value: MAZE_NAMES.join('|'), help: 'which maze (default umaze)' },
  },
  async run(args) {
    const folder = args.text('out') ?? 'public/clips';
    await checkFolder(folder);
    const size = args.whole('size', 1) ?? 64;
    const frames = args.whole('frames', 2) ?? 4;
    const map = mazeMap(args.text('map') ?? 'umaze');
    mazeView(map, size); // What is wrong is said before seconds of simulation.
    const index = join(folder, 'index.json');
    const others = await otherWorlds(index);
    const simulator = createMaze(await mujocoInNode(), map.name);
    const episode = (index: number) => makeEpisode(simulator, { seed: SEEDS.gallery, index, frames });
    const picked = pickEpisodes((index) => traceEpisode(simulator, episode(index)));

    await args.pause();
    await outputFolder(folder);
    const clips: ClipEntry[] = [];
    for (const [i, { title, index: number }] of picked.entries()) {
      const source = `maze ${map.name}, episode ${number} of seed ${SEEDS.gallery}, simulated by MuJoCo`;
      const bytes = writeClip(mazeClip(episode(number), size, source));
      const id = `maze-${String(i + 1).padStart(2, '0')}`;
      await args.pause();
      await writeWhole(join(folder, `${id}.npz`), bytes);
      clips.push({
        id,
        title,
        world: 'maze',
        map: map.name,
        file: `${id}.npz`,
        frames,
        size,
        fps: FRAMES_PER_SECOND,
        seed: SEEDS.gallery,
        episode: number,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
    }
    simulator.dispose();
    const text = JSON.stringify({ version: 1, clips: [...clips, ...others] }, null, 2) + '\n';
    await writeWhole(index, text);
    for (const { id, title, episode: number, bytes } of clips) {
      process.stderr.write(
        `${id}  episode ${String(number).padStart(5)}  ${String(bytes).padStart(6)} bytes  ${title}\n`,
      );
    }
  },
};

const indexSchema = v.looseObject({ clips: v.array(v.looseObject({ world: v.string() })) });

/** The entries of other worlds in an index that is there already. @throws one sentence when it is no index */
async function otherWorlds(path: string): Promise<{ world: string }[]> {
  if (!existsSync(path)) return [];
  const { clips } = parseWith(
    indexSchema,
    await readJson(path),
    'clip index',
    `correct ${path} or remove it`,
  );
  return clips.filter((clip) => clip.world !== 'maze');
}
