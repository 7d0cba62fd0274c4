/** Journey: somebody asks for WebGPU where only a software adapter answers. */
import { asksForWebgpu } from './asks-for-webgpu.ts';
import { test } from './studio.ts';

test('a software adapter is left for WASM, which is faster, with a sentence', async ({ studio }) => {
  await asksForWebgpu(studio, /^WebGPU offers only a software adapter \(.+\), which is slower than WASM\.$/);
});
