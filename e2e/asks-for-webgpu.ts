/** What a visitor sees who asks for WebGPU and cannot have it: WASM, and a sentence that says why. */
import { expect } from './studio.ts';
import type { Studio } from './studio.ts';

export async function asksForWebgpu(studio: Studio, sentence: RegExp): Promise<void> {
  await studio.open('backend=webgpu&steps=2');
  await studio.modelReady();
  await expect(studio.model).toContainText(/WASM, \d+ threads?/);
  await expect(studio.model.getByText(sentence)).toBeVisible();
  const run = await studio.run();
  expect(run.device).toMatch(/^WASM/);
  expect(run.networkCalls).toBe(6);
  // What was asked for stays asked for: the link works on another machine too.
  expect(await studio.state()).toMatchObject({ settings: { backend: 'webgpu' } });
  await studio.page.getByRole('button', { name: 'About' }).click();
  await expect(studio.page.getByRole('dialog').getByText(sentence)).toBeVisible();
}
