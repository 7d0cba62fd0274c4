/** The command of `npm run maze:data`. */
import { invalid, missing } from '../../../models/errors.ts';
import { MAZE_NAMES, mazeMap } from '../../../models/worlds/maze/maps.ts';
import { mazeView } from '../../../models/worlds/maze/render.ts';
import { createMaze } from '../../../workers/mujoco/simulator.ts';
import { mujocoInNode } from '../../../workers/node/mujoco.ts';
import type { Command } from '../command.ts';
import { checkFolder } from '../files.ts';
import { perturbed, readDataSet, simulate, writeDataSet } from './data-set.ts';
import type { Watch } from './data-set.ts';

export const command: Command = {
  summary:
    'Simulates exploring episodes and writes states.npy, actions.npy, meta.json and frames.npy. ' +
    'Seeds 1 to 4 are reserved for training, validation, test and gallery; no two seeds share an episode.',
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
    if (folder === undefined) throw missing('option', '--out', 'give the folder to write');
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
    let set;
    if (source === undefined) {
      const simulator = createMaze(await mujocoInNode(), map.name);
      set = await simulate(simulator, options, watch);
      simulator.dispose();
    } else set = readDataSet(source);
    await writeDataSet(folder, sigma === 0 ? set : perturbed(set, sigma), size, watch);
    process.stderr.write(
      `${process.stderr.isTTY ? '\n' : ''}${set.meta.episodes} episodes of ${set.meta.frames} frames in ${folder}\n`,
    );
  },
};

/** One line that is written over: a data set takes minutes. */
function say(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r${text.padEnd(60)}` : '');
}
