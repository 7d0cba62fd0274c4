import { expect, test } from 'vitest';
import { createMeter } from './meter.ts';
import type { DownloadProgress } from './meter.ts';

function rig() {
  let time = 0;
  const told: DownloadProgress[] = [];
  const meter = createMeter(
    () => time,
    (progress) => told.push(progress),
  );
  return { meter, told, pass: (milliseconds: number) => void (time += milliseconds) };
}

test('the time left follows the rate of the last five seconds, not the whole past', () => {
  const { meter, told, pass } = rig();
  let bytes = 0;
  const run = (rate: number) => {
    pass(100);
    meter.at('download', (bytes += rate / 10), 100_000);
  };
  meter.at('download', 0, 100_000);
  expect(told.at(-1)!.secondsLeft).toBeNull();
  for (let i = 0; i < 100; i++) run(1000); // ten seconds
  expect(told.at(-1)!.secondsLeft).toBeCloseTo((100_000 - bytes) / 1000, 5);
  for (let i = 0; i < 60; i++) run(4000); // six faster ones
  expect(told.at(-1)!.secondsLeft).toBeCloseTo((100_000 - bytes) / 4000, 5);
});

test('bytes that an earlier visit left do not count as speed', () => {
  const { meter, told, pass } = rig();
  meter.resumed = 50_000;
  for (let i = 0; i <= 10; i++) {
    meter.at('download', 50_000 + 100 * i, 100_000);
    pass(100);
  }
  expect(told.at(-1)!.secondsLeft).toBeCloseTo((50_000 - 1000) / 1000, 5);
  expect(told.at(-1)!.resumed).toBe(50_000);
});

test('a thousand chunks a second are ten reports a second, and the last byte is told', () => {
  const { meter, told, pass } = rig();
  for (let i = 1; i <= 1000; i++) {
    pass(1);
    meter.at('download', i, 1000);
  }
  expect(told.length).toBeLessThanOrEqual(12);
  expect(told.at(-1)!.bytes).toBe(1000);
});

test('a sentence is told at once and stays until it is taken back', () => {
  const { meter, told } = rig();
  meter.at('download', 1, 10);
  meter.say('The connection broke; trying again in 2 s.');
  expect(told.at(-1)!.note).toMatch(/^The connection broke/);
  meter.say(null);
  expect(told.at(-1)!.note).toBeNull();
});
