import { expect, test } from 'vitest';
import { findGpu, rungsFor, threadsFor } from './device.ts';

test('auto and webgpu try WebGPU first and end on WASM; wasm tries nothing else', () => {
  expect(rungsFor('auto')).toEqual(['webgpu', 'wasm']);
  expect(rungsFor('webgpu')).toEqual(['webgpu', 'wasm']);
  expect(rungsFor('wasm')).toEqual(['wasm']);
});

test('an isolated page gives WASM all cores, up to sixteen', () => {
  expect(threadsFor({ cores: 2, isolated: true, phone: false })).toEqual({ threads: 2, note: null });
  expect(threadsFor({ cores: 128, isolated: true, phone: false }).threads).toBe(16);
});

test('without isolation, or on a phone, WASM has one thread and a sentence that says why', () => {
  const bare = threadsFor({ cores: 8, isolated: false, phone: false });
  expect(bare.threads).toBe(1);
  expect(bare.note).toContain('COOP and COEP');
  const phone = threadsFor({ cores: 8, isolated: true, phone: true });
  expect(phone.threads).toBe(1);
  expect(phone.note).toContain('phones');
});

test('one core is nothing to apologise for', () => {
  expect(threadsFor({ cores: 1, isolated: false, phone: false })).toEqual({ threads: 1, note: null });
});

/** What a browser answers, as far as the ladder asks. The real adapter is asked in e2e. */
function browserWith(adapter: object | null): GPU {
  return { requestAdapter: () => Promise.resolve(adapter) } as unknown as GPU;
}

function adapter(isFallbackAdapter: boolean, asked: GPUDeviceDescriptor[] = []): object {
  return {
    info: { vendor: 'acme', architecture: 'one', device: '', description: '', isFallbackAdapter },
    features: new Set(['shader-f16', 'texture-compression-bc']),
    limits: { maxBufferSize: 1000, maxStorageBuffersPerShaderStage: 10 },
    requestDevice: (descriptor: GPUDeviceDescriptor) => {
      asked.push(descriptor);
      return Promise.resolve({ label: 'device' });
    },
  };
}

test('a browser without WebGPU, without an adapter or with a failing one is left with a sentence', async () => {
  expect(await findGpu(undefined, false)).toContain('not offered');
  expect(await findGpu(browserWith(null), false)).toContain('no graphics adapter');
  const failing = { requestAdapter: () => Promise.reject(new Error('blocked')) } as unknown as GPU;
  expect(await findGpu(failing, false)).toContain('blocked');
});

test('a software adapter counts only where it is allowed', async () => {
  expect(await findGpu(browserWith(adapter(true)), false)).toContain('software adapter (acme one)');
  expect(await findGpu(browserWith(adapter(true)), true)).toMatchObject({ adapter: 'acme one' });
});

test("the device is asked for with the adapter's own limits and the features that it has", async () => {
  const asked: GPUDeviceDescriptor[] = [];
  expect(await findGpu(browserWith(adapter(false, asked)), false)).toMatchObject({
    device: { label: 'device' },
  });
  expect(asked).toEqual([
    {
      requiredFeatures: ['shader-f16'],
      requiredLimits: { maxBufferSize: 1000, maxStorageBuffersPerShaderStage: 10 },
    },
  ]);
});
