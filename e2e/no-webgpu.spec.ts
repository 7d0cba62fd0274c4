/** Journey: somebody asks for WebGPU in a browser that has none. */
import { asksForWebgpu } from './asks-for-webgpu.ts';
import { test } from './studio.ts';

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const args = launchOptions.args!.filter((arg) => !arg.includes('webgpu'));
    await use({
      ...launchOptions,
      args: [...args, '--disable-blink-features=WebGPU', '--disable-features=WebGPUService'],
    });
  },
});

test('a browser without WebGPU runs on WASM, with a sentence', async ({ studio }) => {
  await asksForWebgpu(studio, /^WebGPU (is not offered by this browser|found no graphics adapter; .+)\.$/);
});
