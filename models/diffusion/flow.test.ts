import { describe, expect, it } from 'vitest';
import { referenceArrays, referencePath } from '../testing/reference.ts';
import { flowClean, flowNoised, flowStep, flowTimestepMap, tauOf } from './flow.ts';

const golden = 'diffusion/flow.npz';

it.skipIf(referencePath(golden) === null)('timestep grids equal the reference', () => {
  const expected = referenceArrays(golden);
  for (const name of expected.names) {
    const steps = Number(name.replace('flow_map_', ''));
    expect(flowTimestepMap(steps), name).toEqual([...(expected.get(name).data as BigInt64Array)].map(Number));
  }
});

describe('flow', () => {
  it('has a grid from clean to pure noise for every number of steps', () => {
    for (let steps = 1; steps <= 1000; steps++) {
      const map = flowTimestepMap(steps);
      expect([map[0], map[steps]]).toEqual([-1, 999]);
      expect(map.every((timestep, k) => k === 0 || timestep > map[k - 1])).toBe(true);
    }
    expect([tauOf(-1), tauOf(999)]).toEqual([1, 0]);
  });

  it('finds the clean frame and steps exactly onto it when the velocity is right', () => {
    const [x0, noise] = [Float32Array.of(0.5, -2, 3), Float32Array.of(1, 0.25, -1)];
    const u = x0.map((value, i) => value - noise[i]);
    const x = flowNoised(600, x0, noise);
    expect(flowClean(600, x, u)).toBeCloseTensor(x0, { absolute: 1e-6 });
    expect(flowStep(600, -1, x, u)).toBeCloseTensor(x0, { absolute: 1e-6 });
    expect(flowStep(600, 200, x, u)).toBeCloseTensor(flowNoised(200, x0, noise), { absolute: 1e-6 });
    expect([...flowNoised(999, x0, noise)]).toEqual([...noise]);
  });

  it('refuses steps that it does not have', () => {
    for (const steps of [0, -1, 1.5, 1001]) expect(() => flowTimestepMap(steps)).toThrow('invalid steps');
  });
});
