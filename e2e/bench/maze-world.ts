/** MuJoCo's steps and the renderer's frames per second in Node, on one core. */
import { makeEpisode } from '../../models/worlds/maze/episode.ts';
import { mazeMap } from '../../models/worlds/maze/maps.ts';
import { mazeRenderer } from '../../models/worlds/maze/render.ts';
import { createMaze } from '../../workers/mujoco/simulator.ts';
import { mujocoInNode } from '../../workers/node/mujoco.ts';
import { type Row, seconds } from './measure.ts';

const frames = 400;
/** Environment steps that makeEpisode takes for each frame. */
const stepsPerFrame = 5;

export async function mazeWorld(): Promise<Row[]> {
  const simulator = createMaze(await mujocoInNode(), 'umaze');
  let seed = 100;
  const episode = await seconds(() => makeEpisode(simulator, { seed: seed++, index: 0, frames }));
  simulator.dispose();
  const rows: Row[] = [
    {
      what: 'MuJoCo environment steps a second (exploring policy included)',
      value: Math.round((frames * stepsPerFrame) / episode).toLocaleString('en'),
      wanted: 'at least 5,000',
    },
  ];
  for (const size of [64, 224]) {
    const renderer = mazeRenderer(mazeMap('umaze'), size);
    const into = new Uint8Array(size * size * 3);
    const drawn = await seconds(() => {
      for (let i = 0; i < 1000; i++) renderer.draw(0.5 + i / 1000, 1, into);
    });
    rows.push({
      what: `maze frames drawn a second at ${String(size)} x ${String(size)}`,
      value: Math.round(1000 / drawn).toLocaleString('en'),
      wanted: '',
    });
  }
  return rows;
}
