/** `schedule`: a scheduling matrix with everything that follows from it, before any model runs. */
import { windowCost } from '../../../models/diffusion/cost.ts';
import { NOISE_SCHEDULES } from '../../../models/diffusion/noise-schedule.ts';
import { levelsOfRow, timestepsOfRow, windowPlan } from '../../../models/diffusion/plan.ts';
import { SCHEDULING_MODES } from '../../../models/diffusion/scheduling-matrix.ts';
import { invalid, missing } from '../../../models/errors.ts';
import type { Command } from '../command.ts';

const modes = [...SCHEDULING_MODES, 'lag'] as const;
const predictions = ['v', 'epsilon', 'x', 'flow'] as const;
/** Length of the published models' training process. */
const TRAINING_STEPS = 1000;
/** As many as a bundle's window may have. */
const MOST_FRAMES = 4096;

export const command: Command = {
  summary: 'Prints the noise level of every frame in every row, the timesteps behind them and the cost.',
  usage: '',
  options: {
    mode: { type: 'string', value: modes.join('|'), help: 'how far each frame starts after the one before' },
    lag: { type: 'string', value: 'L', help: 'rows between the starts, with --mode lag' },
    steps: { type: 'string', value: 'S', help: 'denoising steps of a frame (default 8)' },
    frames: { type: 'string', value: 'F', help: 'frames of the window, context included (default 4)' },
    context: { type: 'string', value: 'N', help: 'frames that are given (default 1)' },
    stabilisation: { type: 'string', value: 'h', help: 'level of the context, 0 to below 1 (default 0)' },
    'noise-schedule': { type: 'string', value: NOISE_SCHEDULES.join('|'), help: 'default squaredcos_cap_v2' },
    'zero-terminal-snr': { type: 'string', value: 'true|false', help: 'default true' },
    prediction: { type: 'string', value: predictions.join('|'), help: 'default v' },
    keep: { type: 'string', value: 'N', help: 'generated frames that are kept (default all)' },
  },
  async run(args) {
    const mode = args.choice('mode', modes) ?? (args.has('lag') ? 'lag' : 'sequential');
    const lag = args.whole('lag', 0) ?? null;
    if (lag !== null && mode !== 'lag')
      throw invalid('--lag', lag, `mode ${mode} has its own; use --mode lag`);
    if (mode === 'lag' && lag === null) throw missing('option', '--lag', 'mode lag needs it');
    const plan = windowPlan({
      mode,
      lag,
      steps: args.whole('steps', 1, TRAINING_STEPS) ?? 8,
      frames: args.whole('frames', 1, MOST_FRAMES) ?? 4,
      context: args.whole('context', 0) ?? 1,
      stabilisation: args.number('stabilisation') ?? 0,
      eta: 0,
      keep: args.whole('keep', 1) ?? null,
      diffusion: {
        schedule: args.choice('noise-schedule', NOISE_SCHEDULES) ?? 'squaredcos_cap_v2',
        steps: TRAINING_STEPS,
        zeroTerminalSnr: args.truth('zero-terminal-snr') ?? true,
        prediction: args.choice('prediction', predictions) ?? 'v',
      },
    });
    const rows = plan.matrix.map((_, row) => row);
    const cost = windowCost(plan);
    const levels = rows.map((row) => levelsOfRow(plan, row));
    await args.pause();
    if (args.flag('json')) {
      const result = {
        levels,
        base_timesteps: rows.map((row) => timestepsOfRow(plan, row)),
        alpha_bars: plan.process.alphaBars,
        timestep_map: plan.process.timesteps.slice(1),
        network_calls: cost.networkCalls,
        /** What the answer needs (only frames that change); the window graph computes every frame in every row. */
        frame_evaluations: cost.cachedEvaluations,
        window_frame_evaluations: cost.windowEvaluations,
      };
      console.log(JSON.stringify(result));
    } else {
      const width = String(plan.process.steps).length + 2;
      const line = (row: readonly (number | null)[]) =>
        row.map((level) => String(level ?? '~').padStart(width)).join('');
      console.log(levels.map(line).join('\n'));
      console.log(
        `\n${String(cost.networkCalls)} network calls; frame evaluations: ${String(cost.windowEvaluations)} with the window ` +
          `graph, ${String(cost.cachedEvaluations)} when only what changes is computed`,
      );
    }
  },
};
