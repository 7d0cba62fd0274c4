import { describe, expect, it } from 'vitest';
import { referenceArrays, referencePath } from '../testing/reference.ts';
import { alphaBars, NOISE_SCHEDULES } from './noise-schedule.ts';
import { roundHalfEven, timestepMap } from './respacing.ts';

const golden = 'diffusion/schedules.npz';

describe.skipIf(referencePath(golden) === null)('noise schedules', () => {
  const cases = NOISE_SCHEDULES.flatMap((schedule) => [
    { schedule, zeroTerminalSnr: false, key: `${schedule}_nzt` },
    { schedule, zeroTerminalSnr: true, key: `${schedule}_zt` },
  ]);
  it.each(cases)('and respacing equal the reference: $key', ({ schedule, zeroTerminalSnr, key }) => {
    const expected = referenceArrays(golden);
    const bars = alphaBars({ schedule, steps: 1000, zeroTerminalSnr });
    const sizes = expected.names.filter((name) => name.startsWith(`${key}_`) && name.endsWith('_map'));
    expect(sizes.length).toBe(9);
    for (const name of sizes) {
      const wanted = [...(expected.get(name).data as BigInt64Array)].map(Number);
      const map = timestepMap(1000, wanted.length);
      expect(map).toEqual(wanted);
      const kept = map.map((timestep) => bars[timestep]);
      const theirs = expected.get(name.replace('_map', '_alphas_cumprod')).data as Float64Array;
      expect(kept).toBeCloseTensor(theirs, { absolute: 1e-12 });
    }
  });
});

describe('a schedule', () => {
  it('falls from nearly 1, to exactly 0 only with zero terminal SNR', () => {
    for (const schedule of NOISE_SCHEDULES) {
      for (const zeroTerminalSnr of [true, false]) {
        const bars = alphaBars({ schedule, steps: 1000, zeroTerminalSnr });
        expect(bars[0]).toBeGreaterThan(0.999);
        expect(bars.every((bar, t) => t === 0 || bar < bars[t - 1])).toBe(true);
        expect(bars[999] === 0).toBe(zeroTerminalSnr);
      }
    }
  });

  it('of one timestep stays finite', () => {
    expect(alphaBars({ schedule: 'linear', steps: 1, zeroTerminalSnr: true })[0]).toBe(1 - 1e-4);
  });

  it('refuses a name or a length that it does not have', () => {
    const schedule = 'sigmoid' as 'linear';
    expect(() => alphaBars({ schedule, steps: 10, zeroTerminalSnr: false })).toThrow(
      'unknown noise schedule: sigmoid; use linear or squaredcos_cap_v2',
    );
    expect(() => alphaBars({ schedule: 'linear', steps: -1, zeroTerminalSnr: false })).toThrow('invalid');
  });
});

describe('respacing', () => {
  it('refuses steps that are no whole number from 1 to T', () => {
    for (const steps of [0, -3, 2.5, NaN, 1001]) {
      expect(() => timestepMap(1000, steps)).toThrow(/^invalid steps: .*from 1 to 1000$/);
    }
  });

  it('always begins at 0, ends at T - 1 and rises', () => {
    for (let steps = 2; steps <= 1000; steps++) {
      const map = timestepMap(1000, steps);
      expect([map[0], map[steps - 1]]).toEqual([0, 999]);
      expect(map.every((step, i) => i === 0 || step > map[i - 1])).toBe(true);
    }
  });

  it('rounds halves to the even neighbour', () => {
    expect([0.5, 1.5, 2.5, -0.5, -1.5, 0.49, 0.51].map(roundHalfEven)).toEqual([0, 2, 2, 0, -2, 0, 1]);
  });
});
