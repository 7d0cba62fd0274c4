/** What this is, and what works where. */
import type { DeviceReport } from '../../../workers/protocol.ts';

export const ABOUT = {
  paragraphs: [
    'A video world model (NanoWM) runs in this tab. It is given one frame and the forces on the ball, and predicts the frames that follow by taking noise away step by step. The scheduling matrix says which frame loses how much noise in which step; change it and see what that costs and what it does to the prediction.',
    'The clips are episodes of a point maze, simulated by MuJoCo. Those listed were never trained on, and neither was any new episode that you simulate here.',
    'Weights, clips and MuJoCo are served with this page. There is no server that computes, no account and no counting of visits.',
  ],
  worksTitle: 'What works where',
  works: [
    {
      where: 'A graphics processor with WebGPU',
      how: 'Runs there. Chrome and Edge have it; Safari and Firefox in their newer versions.',
    },
    {
      where: 'Any other current browser',
      how: 'Runs by WASM on the processor; with as many threads as the host of the page allows.',
    },
    { where: 'Nothing of that', how: 'The recorded result, the schedules and their costs are still there.' },
  ],
  deviceTitle: 'This device',
  deviceUnknown: 'It is looked at when the model loads.',
  device: ({ backend, adapter, threads, runtime }: DeviceReport) =>
    `${backend === 'webgpu' ? 'WebGPU' : 'WASM'}, ${adapter}, ${threads} ${threads === 1 ? 'thread' : 'threads'}, ${runtime}.`,
} as const;
