import { describe, expect, test } from 'vitest';
import { configOfHyperparameters, factsOf, parseConfig } from './document.ts';

describe("a config's text", () => {
  test('is YAML or JSON that holds settings', () => {
    expect(parseConfig('model: { causal: false }', 'c')).toEqual({ model: { causal: false } });
    expect(parseConfig('{"act_fn": "silu"}', 'c')).toEqual({ act_fn: 'silu' });
  });

  test.each([
    [
      '<!DOCTYPE html><html><body>Not found</body></html>',
      'invalid config: c; it is a web page, not the file',
    ],
    ['\n <html lang="en">', 'invalid config: c; it is a web page, not the file'],
    ['\u0000\u0000model', 'invalid config: c; it is no text; give the config.yaml'],
    ['', 'invalid config: c; it holds no settings'],
    ['- a\n- b', 'invalid config: c; it holds no settings'],
    ['just words', 'invalid config: c; it holds no settings'],
    ['model: [', 'invalid YAML: c; '],
    ['a: 1\n b: : 2', 'invalid YAML: c; '],
  ])('is refused in one sentence when it is something else: %j', (text, sentence) => {
    expect(() => parseConfig(text, 'c')).toThrow(sentence);
    expect(() => parseConfig(text, 'c')).toThrow(/^[^\n]+$/);
  });
});

describe('the hyperparameters of a checkpoint', () => {
  const model = { arch: 'NanoWM-S/2', causal: false };

  test('hold the config somewhere', () => {
    expect(configOfHyperparameters({ model })).toEqual({ model });
    expect(configOfHyperparameters({ lr: 1, args: { model } })).toEqual({ model });
    expect(configOfHyperparameters({ cfg: { config: { model } } })).toEqual({ model });
    for (const none of [null, undefined, 3, [], {}, { args: 'text' }, { model: 'name' }])
      expect(configOfHyperparameters(none)).toBeNull();
  });

  test('say what the config beside the weights leaves open, and nothing more', () => {
    const config = { model: { causal: true, arch: '${size}' } };
    expect(factsOf(config, { args: { model } })).toMatchObject({ causal: true, arch: 'NanoWM-S/2' });
    expect(factsOf(null, { args: { model } })).toMatchObject({ causal: false, prediction: null });
    expect(factsOf(null, null).arch).toBeNull();
  });
});
