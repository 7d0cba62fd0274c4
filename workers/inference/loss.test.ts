import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { DeviceLost, watch } from './loss.ts';

function device() {
  let lose: (info: GPUDeviceLostInfo) => void = () => undefined;
  const lost = new Promise<GPUDeviceLostInfo>((resolve) => (lose = resolve));
  return {
    lost,
    lose: (message: string) => lose({ message, reason: 'unknown' } as GPUDeviceLostInfo),
  };
}

test('work on a device that stays gives its own result or its own error', async () => {
  const { guard } = watch(device());
  expect(await guard(() => Promise.resolve(5))).toBe(5);
  await expect(guard(() => Promise.reject(new Error('bad shape')))).rejects.toThrow('bad shape');
});

test('a run that never ends on a lost device is given up with a sentence', async () => {
  const gpu = device();
  const { guard } = watch(gpu);
  const endless = guard(() => new Promise(() => undefined));
  gpu.lose('driver reset');
  await expect(endless).rejects.toThrow('WebGPU lost its device (driver reset)');
  await expect(endless).rejects.toBeInstanceOf(DeviceLost);
});

test('what a lost device still returns is not believed', async () => {
  const gpu = device();
  const { guard } = watch(gpu);
  gpu.lose('');
  await gpu.lost;
  await expect(guard(() => Promise.resolve([0, 0]))).rejects.toBeInstanceOf(DeviceLost);
  await expect(guard(() => Promise.reject(new Error('buffer unmapped')))).rejects.toBeInstanceOf(DeviceLost);
});

test('results are not kept while the device lives', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const gpu = device();
  const { guard } = watch(gpu);
  const kept: WeakRef<object>[] = [];
  for (let i = 0; i < 5; i++) {
    await guard(() => {
      const result = new Float32Array(1000);
      kept.push(new WeakRef(result));
      return Promise.resolve(result);
    });
  }
  await new Promise((resolve) => setTimeout(resolve, 0));
  collect();
  expect(kept.filter((result) => result.deref() !== undefined).length).toBe(0);
  gpu.lose('');
});

test('WASM has no device to lose', async () => {
  expect(await watch(null).guard(() => Promise.resolve(1))).toBe(1);
});
