import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../models/clip.ts';
import { exampleManifest } from '../../../models/testing/manifest.ts';
import { unfit } from './fitting-model.ts';

const clip = {
  actions: { rows: 4, width: 10 },
  pixels: { height: 64, width: 64 },
} as unknown as Clip;
const manifest = exampleManifest();
const codec = { ...manifest.codec!, imageSize: [64, 64] as [number, number] };
const action = manifest.action!;

describe('a model and a clip', () => {
  it('go together when actions and frames have the sizes of the model', () => {
    expect(unfit({ ...manifest, codec }, clip)).toBeNull();
    expect(unfit({ ...manifest, codec }, null)).toBeNull();
  });

  it('do not when the model has no decoder, takes other actions, or other frames', () => {
    const { codec: _, ...blind } = manifest;
    expect(unfit(blind, clip)).toMatch(/predicts latents only/);
    expect(unfit({ ...manifest, codec, action: { ...action, width: 51 } }, clip)).toMatch(
      /its actions have 10 numbers a frame, Tiny maze takes 51/,
    );
    expect(unfit({ ...manifest, codec: { ...codec, imageSize: [96, 96] } }, clip)).toMatch(
      /frames of 64 × 64 pixels, Tiny maze takes 96 × 96/,
    );
  });
});
