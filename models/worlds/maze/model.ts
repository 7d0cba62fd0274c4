/** The maze's physics as the text that MuJoCo reads (MJCF). Numbers: facts/worlds.md section 1. */
import { BALL_ORIGIN } from './maps.ts';
import type { MazeMap } from './maps.ts';

/** Physics steps of 0.01 s in one environment step. */
export const FRAME_SKIP = 5;
/** Velocities are clipped to this before each environment step, world units per second. */
export const VELOCITY_LIMIT = 5;
/** Actions are clipped to this; the motors' gear makes it a force of 100. */
export const ACTION_LIMIT = 1;
/** Initial velocities of the original data lie within this on both axes, world units per second. */
export const START_VELOCITY_LIMIT = 5.2262554;
/** Mass of the ball: density 1000 times the volume of a sphere of radius 0.1. */
export const BALL_MASS = 4.18879;
/** Motor force per unit of action. */
export const GEAR = 100;
/** Seconds of one environment step. */
export const STEP_SECONDS = 0.05;
/** Frames in a second of the world's time: one every five environment steps. */
export const FRAMES_PER_SECOND = 4;

/** MJCF of `map`. The order of the geoms fixes the order of contacts, hence the last bits. */
export function mazeModel(map: MazeMap): string {
  const walls = map.walls
    .map(({ w, h }) => `    <geom type="box" size="0.5 0.5 0.2" pos="${w + 1} ${h + 1} 0"/>`)
    .join('\n');
  return `<mujoco model="point-maze-${map.name}">
  <compiler inertiafromgeom="true" angle="radian"/>
  <option timestep="0.01" gravity="0 0 0" iterations="20" integrator="Euler"/>
  <default>
    <joint damping="1" limited="false"/>
    <geom friction=".5 .1 .1" density="1000" margin="0.002" condim="1" contype="2" conaffinity="1"/>
  </default>
  <worldbody>
    <geom type="plane" size="40 40 .25" pos="0 0 -0.1" contype="1" conaffinity="0"/>
    <body pos="${BALL_ORIGIN} ${BALL_ORIGIN} 0">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="y" type="slide" axis="0 1 0"/>
      <geom type="sphere" size="0.1" contype="1"/>
    </body>
${walls}
  </worldbody>
  <actuator>
    <motor joint="x" ctrlrange="-1 1" ctrllimited="true" gear="${GEAR}"/>
    <motor joint="y" ctrlrange="-1 1" ctrllimited="true" gear="${GEAR}"/>
  </actuator>
</mujoco>
`;
}
