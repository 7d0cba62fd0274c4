import { describe, expect, it } from 'vitest';
import { decodeSpec, encodeSpec, readLink } from './run-address.ts';
import { defaultSpec, parseSpec } from './run.ts';
import type { RunSpec } from './run.ts';
import { exampleManifest } from './testing/manifest.ts';

const manifest = exampleManifest();
const parse = (json: unknown) => parseSpec(json, manifest);

describe('a run spec', () => {
  it('is complete from the bundle when nothing is asked', () => {
    expect(parse({})).toEqual(defaultSpec(manifest));
    expect(defaultSpec(manifest, '03')).toMatchObject({
      clip: '03',
      context: 1,
      horizon: 4,
      sampler: { mode: 'sequential', steps: 50, stabilisation: 0.02 },
    });
  });

  it('survives being written as JSON and read', () => {
    const spec = parse({ seed: 7, sampler: { mode: 'lag', lag: 2, steps: 8 }, keep: 1, horizon: 20 });
    expect(parse(JSON.parse(JSON.stringify(spec)))).toEqual(spec);
  });

  it('takes a lag or a matrix as its mode', () => {
    expect(parse({ sampler: { lag: 3 } }).sampler.mode).toBe('lag');
    const matrix = [
      [2, 2, 2],
      [1, 2, 2],
      [0, 0, 0],
    ];
    const { sampler } = parse({ sampler: { matrix } });
    expect([sampler.mode, sampler.steps, sampler.matrix]).toEqual(['matrix', 2, matrix]);
  });

  it('takes off context columns that stand still in a matrix, as the schedule command prints them', () => {
    const matrix = [
      [1, 2, 2, 2],
      [1, 0, 0, 0],
    ];
    expect(parse({ sampler: { matrix } }).sampler.matrix).toEqual([
      [2, 2, 2],
      [0, 0, 0],
    ]);
  });

  it('slides by one frame when the horizon is beyond a window and nothing else is said', () => {
    expect(parse({ horizon: 30 }).keep).toBe(1);
    expect(parse({ horizon: 4 }).keep).toBe(null);
  });

  it('belongs to the bundle that runs it', () => {
    expect(parse({ bundle: 'another' }).bundle).toBe('tiny-maze');
  });
});

it('takes its steps from a matrix of any length', () => {
  const rows = 60_000;
  const matrix = Array.from({ length: rows }, (_, row) => [0, 1, 2].map(() => (row < rows - 1 ? 7 : 0)));
  expect(parse({ sampler: { matrix } }).sampler.steps).toBe(7);
});

describe('a wrong spec', () => {
  it.each([
    [{ colour: 'red' }, 'unknown run spec field: colour; remove it'],
    [{ sampler: { step: 8 } }, 'unknown run spec field: sampler.step; remove it'],
    [{ version: 2 }, 'invalid run spec field: version; 2 is not allowed, only version 1 is known'],
    [{ sampler: { steps: -3 } }, 'sampler.steps; -3 is not allowed, give a whole number from 1 to 1000'],
    [{ sampler: [] }, 'run spec field: sampler; [] is not allowed, it is a list, not an object'],
    [{ ['x'.repeat(500)]: 1 }, `unknown run spec field: ${'x'.repeat(117)}...; remove it`],
    [{ sampler: { steps: 0 } }, 'sampler.steps; 0 is not allowed'],
    [{ sampler: { steps: '8' } }, 'sampler.steps; "8" is not allowed'],
    [{ sampler: { mode: 'zigzag' } }, '"zigzag" is not known, use full_sequence, pyramid, sequential'],
    [{ sampler: { eta: 2 } }, 'sampler.eta; 2 is not allowed, give a number from 0 to 1'],
    [{ sampler: { mode: 'lag' } }, 'invalid sampler.lag: null; mode lag needs one'],
    [{ sampler: { mode: 'pyramid', lag: 2 } }, 'mode pyramid does not take one'],
    [{ sampler: { mode: 'matrix' } }, 'invalid sampler.matrix: null; mode matrix needs one'],
    [
      {
        sampler: {
          matrix: [
            [1, 1, 1],
            [1, 1, 1],
          ],
        },
      },
      'the last row is clean',
    ],
    [
      {
        sampler: {
          matrix: [
            [2, 2, 2],
            [0, 1, 0],
            [0, 2, 0],
          ],
        },
      },
      'level 2 in row 2, frame 1; it rises from 1',
    ],
    [
      {
        sampler: {
          matrix: [
            [1, 1],
            [0, 0],
          ],
        },
      },
      '2 columns in row 0; give 3',
    ],
    [{ sampler: { solver: 'heun' } }, "unsupported sampler.solver: heun; use 'ddim'"],
    [{ sampler: { spacing: 'quadratic' } }, 'unsupported sampler.spacing: quadratic'],
    [{ sampler: { samples: 4 } }, 'unsupported sampler.samples: 4'],
    [{ sampler: { refine: { level: 3, steps: 10 } } }, 'unsupported sampler.refine'],
    [{ precision: 'fp16' }, "unsupported precision: fp16; use 'auto' or 'fp32'"],
    [{ context: 4, sampler: { matrix: [[1], [0]] } }, "this model's window has 4 frames; give at most 3"],
    [{ actions: 'random' }, 'unsupported actions: random'],
    [{ seed: 1.5 }, 'seed; 1.5 is not allowed'],
    [{ seed: 2 ** 53 }, 'invalid run spec field: seed'],
    [{ noise: 'cuda' }, '"cuda" is not known, use playground, torch-cpu'],
    [{ context: 4 }, "invalid context: 4; this model's window has 4 frames; give at most 3"],
    [{ horizon: 1 }, 'horizon; 1 is not allowed'],
    [{ context: 3, horizon: 3 }, 'invalid horizon: 3; it counts all frames, the 3 of context included'],
    [{ horizon: 9, keep: null }, 'invalid horizon: 9; one window of this model has 4 frames; give keep'],
    [{ keep: 4 }, 'invalid keep: 4; a window generates 3 frames'],
    [{ backend: 'cuda' }, 'use auto, webgpu, wasm, node'],
    [[], 'invalid run spec'],
    ['fast', 'invalid run spec'],
  ])('%j is refused in one sentence', (json, message) => {
    expect(() => parse(json)).toThrow(message);
    try {
      parse(json);
    } catch (error) {
      expect((error as Error).message).not.toContain('\n');
    }
  });

  it('is refused when the bundle holds no world model', () => {
    const codec = { ...manifest };
    delete codec.denoiser;
    expect(() => parseSpec({}, codec)).toThrow("missing denoiser: in bundle 'tiny-maze'");
  });
});

describe('a link', () => {
  const there = (json: unknown): RunSpec => parseSpec(json, manifest, '03');
  const roundTrip = (spec: RunSpec) => decodeSpec(encodeSpec(spec, manifest), manifest);

  it('says only what differs from the default', () => {
    expect(encodeSpec(there({}), manifest)).toBe('bundle=tiny-maze&clip=03');
    const spec = there({ seed: 7, sampler: { mode: 'pyramid', steps: 8, eta: 0.5 } });
    expect(encodeSpec(spec, manifest)).toBe('bundle=tiny-maze&clip=03&seed=7&mode=pyramid&steps=8&eta=0.5');
  });

  it('gives back the spec, whatever is in it', () => {
    for (const json of [
      {},
      { seed: 9007199254740991, noise: 'torch-cpu', precision: 'fp32', backend: 'wasm' },
      { context: 2, horizon: 40, keep: 2 },
      { horizon: 40 },
      { horizon: 3, keep: 1 },
      { sampler: { lag: 0, steps: 3, stabilisation: 0 } },
      { sampler: { mode: 'full_sequence', stabilisation: 1e-7, eta: 1 } },
      {
        sampler: {
          matrix: [
            [5, 5, 5],
            [4, 5, 5],
            [3, 2, 5],
            [3, 1, 1],
            [0, 0, 0],
          ],
          steps: 5,
        },
      },
    ]) {
      expect(roundTrip(there(json)), JSON.stringify(json)).toEqual(there(json));
    }
  });

  it('keeps names that need escaping, and works with ? or # in front', () => {
    const spec = parseSpec({}, manifest, 'a&b=c?d #ü');
    expect(roundTrip(spec)).toEqual(spec);
    expect(decodeSpec(`?${encodeSpec(spec, manifest)}`, manifest)).toEqual(spec);
    expect(decodeSpec(`#${encodeSpec(spec, manifest)}`, manifest)).toEqual(spec);
    expect(decodeSpec('', manifest)).toEqual(defaultSpec(manifest));
  });

  it('of a painted sequential schedule stays short', () => {
    const rows = 151;
    const level = (row: number, f: number) => Math.min(50, Math.max(0, 50 - row + 50 * f));
    const matrix = Array.from({ length: rows }, (_, row) => [0, 1, 2].map((f) => level(row, f)));
    const text = encodeSpec(there({ sampler: { matrix } }), manifest);
    expect(text).toBe('bundle=tiny-maze&clip=03&steps=50&matrix=1x50.0x100_0x50.1x50.0x50_0x100.1x50');
    expect(decodeSpec(text, manifest).sampler.matrix).toEqual(matrix);
  });

  it('is read before any manifest is there, the run apart from how it is looked at', () => {
    const { run, view } = readLink('#testing&clip=maze:umaze:7&bundle=csgo&steps=4&frame=2&theme=dark');
    expect(run).toEqual({ clip: 'maze:umaze:7', bundle: 'csgo', sampler: { steps: 4 } });
    expect([...view]).toEqual([
      ['testing', ''],
      ['frame', '2'],
      ['theme', 'dark'],
    ]);
    expect(readLink('').run).toEqual({});
  });

  it.each([
    ['stepz=8', 'unknown part of the link: stepz; remove it'],
    ['steps=8&steps=9', 'invalid link: steps=9; it says steps twice'],
    ['steps', 'invalid link: steps; each part is name=value'],
    ['steps=abc', 'invalid steps in the link: abc; give a number'],
    ['steps=0x10', 'invalid steps in the link: 0x10'],
    ['matrix=1x2_1x2_1x2', 'missing part of the link: steps; a matrix needs them'],
    ['steps=-4', 'invalid run spec field: sampler.steps; -4 is not allowed'],
    ['clip=%E0%A4%A', 'invalid link: %E0%A4%A; it is damaged'],
    ['steps=2&matrix=1x2_1x2_1', 'its columns differ in length'],
    ['steps=2&matrix=1x99999_1x2_1x2', 'invalid matrix in the link'],
    ['steps=2&matrix=1y2', 'invalid matrix in the link'],
    [`steps=2&matrix=${'0x19999_'.repeat(2000)}`, 'invalid matrix in the link'],
    ['steps=2&matrix=1x3_1x3_1x3', 'sampler.matrix.3.0; -1 is not allowed'],
    ['__proto__=1', 'unknown part of the link: __proto__'],
    ['toString=1', 'unknown part of the link: toString'],
  ])('%s is refused in one sentence', (text, message) => {
    expect(() => decodeSpec(text, manifest)).toThrow(message);
  });
});
