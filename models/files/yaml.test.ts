import { expect, it } from 'vitest';
import { readReferenceText, referencePath } from '../testing/reference.ts';
import { parseJson } from './json.ts';
import { parseYaml } from './yaml.ts';

const golden = 'nanowm/csgo/config.yaml';

it.skipIf(referencePath(golden) === null)("reads the reference's Hydra configuration", () => {
  const config = parseYaml(readReferenceText(golden)!);
  expect(config).toMatchObject({
    model: { causal: true, action_injection: { type: 'additive' } },
    experiment: { tasks: ['training'], diffusion: { snr_gamma: 5, zero_terminal_snr: true } },
    latent_codec: { latent_channels: '${model.latent_channels}' },
  });
});

it('reads small floats as numbers', () => {
  expect(parseYaml('a: 1e-05\nb: 1.0e-4\nc: [1, -2.5]\nd: null\n')).toEqual({
    a: 1e-5,
    b: 1e-4,
    c: [1, -2.5],
    d: null,
  });
});

it('says in one sentence what is wrong with a broken file', () => {
  for (const text of ['a: [1, 2', 'a: 1\n b: 2\n', 'a: b: c', '\t- x']) {
    expect(() => parseYaml(text, 'config.yaml'), text).toThrow(/^invalid YAML: config.yaml; [^\n]*$/);
  }
});

it('refuses a document that multiplies itself by aliases', () => {
  let bomb = 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n';
  for (let i = 1; i < 9; i++) bomb += `a${i}: &a${i} [${`*a${i - 1}, `.repeat(10)}]\n`;
  expect(() => parseYaml(bomb)).toThrow(/^invalid YAML/);
});

it('says which JSON document does not parse', () => {
  expect(() => parseJson('{"a": }', 'spec.json')).toThrow(/^invalid JSON: spec.json; [^\n]*$/);
  expect(parseJson('{"a": 1}', 'spec.json')).toEqual({ a: 1 });
});
