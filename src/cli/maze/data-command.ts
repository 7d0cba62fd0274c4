/** The command of `npm run maze:data`. */
import { join } from 'node:path';
import { invalid, missing } from '../../../models/errors.ts';
import { MAZE_NAMES, mazeMap } from '../../../models/worlds/maze/maps.ts';
import type { MazeName } from '../../../models/worlds/maze/maps.ts';
import { mazeView } from '../../../models/worlds/maze/render.ts';
import { createMaze } from '../../../workers/mujoco/simulator.ts';
import { mujocoInNode } from '../../../workers/node/mujoco.ts';
import type { Command } from '../command.ts';
import { checkFolder } from '../files.ts';
import { perturbed, readDataSet, simulate, writeDataSet } from './data-set.ts';
import type { DataSet, SetOptions, Watch } from './data-set.ts';

export const command: Command = {
  summary:
    'Simulates exploring episodes and writes states.npy, actions.npy, meta.json and frames.npy. ' +
    'Seeds 1 to 4 are reserved for training, validation, test and gallery; no two seeds share an episode. ' +
    'Without options: all sets that the training takes, in models/training/work/data.',
  usage: '',
  options: {
    out: { type: 'string', value: 'DIR', help: 'folder to write' },
    episodes: { type: 'string', value: 'N', help: 'number of episodes (default 64)' },
    frames: { type: 'string', value: 'T', help: 'model frames in an episode (default 4)' },
    seed: { type: 'string', value: 'S', help: 'seed of the set (default 1)' },
    size: { type: 'string', value: 'PIXELS', help: 'side of the frames, 16 to 1024 (default 64)' },
    map: { type: 'string', value: MAZE_NAMES.join('|'), help: 'which maze (default umaze)' },
    'start-velocity': { type: 'string', value: 'rest|random', help: 'how episodes start (default rest)' },
    'no-frames': { type: 'boolean', help: 'write no frames.npy' },
    perturb: {
      type: 'string',
      value: 'SIGMA',
      help: 'draw the ball off its place by about SIGMA maze units, as an imperfect predictor does',
    },
    'render-from': { type: 'string', value: 'DIR', help: 'render the episodes of DIR instead of new ones' },
  },
  async run(args) {
    const folder = args.text('out');
    if (folder === undefined) {
      if (Object.keys(command.options).some((name) => args.has(name)))
        throw missing(
          'option',
          '--out',
          'give the folder to write, or no option at all for the training sets',
        );
      return trainingSets({ stopped: args.stopped, progress: say });
    }
    await checkFolder(folder);
    const size = args.flag('no-frames') ? null : (args.whole('size', 1) ?? 64);
    const map = mazeMap(args.text('map') ?? 'umaze');
    if (size !== null) mazeView(map, size); // A wrong size is said before minutes of simulation.
    const watch: Watch = { stopped: args.stopped, progress: say };
    const sigma = args.number('perturb') ?? 0;
    if (sigma < 0 || sigma > 1) throw invalid('--perturb', sigma, 'give maze units from 0 to 1');
    const source = args.text('render-from');
    const options = {
      episodes: args.whole('episodes', 1) ?? 64,
      frames: args.whole('frames', 1) ?? 4,
      seed: args.whole('seed', 0) ?? 1,
      startVelocity: args.choice('start-velocity', ['rest', 'random'] as const) ?? 'rest',
    };
    const set = source === undefined ? await simulated(map.name, options, watch) : readDataSet(source);
    await written(folder, sigma === 0 ? set : perturbed(set, sigma), size, watch);
  },
};

const TRAINING_DATA = join('models', 'training', 'work', 'data');
/** What models/training reads: the seed of each set and its episodes. */
const TRAINING_SETS = { test: [3, 64], val: [2, 512], train: [1, 30_000] } as const;
/** About the first frame's error of a trained predictor, in maze units. */
const PERTURBATION = 0.04;

/** The sets that the training takes, and the training set once more with the ball off its place. */
async function trainingSets(watch: Watch): Promise<void> {
  const made = { frames: 4, startVelocity: 'rest' } as const;
  for (const [name, [seed, episodes]] of Object.entries(TRAINING_SETS)) {
    const set = await simulated('umaze', { ...made, seed, episodes }, watch);
    await written(join(TRAINING_DATA, name), set, 64, watch);
    if (name !== 'train') continue;
    await written(join(TRAINING_DATA, 'perturbed'), perturbed(set, PERTURBATION), 64, watch);
  }
}

async function simulated(map: MazeName, options: SetOptions, watch: Watch): Promise<DataSet> {
  const simulator = createMaze(await mujocoInNode(), map);
  try {
    return await simulate(simulator, options, watch);
  } finally {
    simulator.dispose();
  }
}

async function written(folder: string, set: DataSet, size: number | null, watch: Watch): Promise<void> {
  await writeDataSet(folder, set, size, watch);
  const { episodes, frames } = set.meta;
  process.stderr.write(
    `${process.stderr.isTTY ? '\n' : ''}${episodes} episodes of ${frames} frames in ${folder}\n`,
  );
}

/** One line that is written over: a data set takes minutes. */
function say(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r${text.padEnd(60)}` : '');
}
