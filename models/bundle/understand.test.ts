import { describe, expect, test } from 'vitest';
import type { Tensor } from '../array/tensor.ts';
import { readSafetensors } from '../files/safetensors.ts';
import { weightsOf } from '../files/weights.ts';
import { parseConfig } from '../nanowm/document.ts';
import { exampleWeights, tensor } from '../testing/nanowm.ts';
import { readReference, readReferenceText, referencePath } from '../testing/reference.ts';
import { buildBundle } from './build.ts';
import { memorySink } from '../testing/sink.ts';
import { understandNanowm } from './understand.ts';
import type { Checkpoint } from './understand.ts';

const sizes = { width: 16, headWidth: 8, patches: 16, frames: 4, actionWidth: 10 };
const understand = (changes: Partial<Checkpoint> & { tensors?: Record<string, Tensor> } = {}) => {
  const { tensors = exampleWeights(sizes), ...rest } = changes;
  return understandNanowm({ weights: weightsOf(tensors), config: null, hyperparameters: null, ...rest });
};
/** A config that leaves nothing open and disagrees with nothing. */
const complete = () => ({
  model: { num_frames: 4, n_context_frames: 1, causal: true, action_injection: { type: 'additive' } },
  dataset: { name: 'point_maze', frame_interval: 5, spec: { action_dim: 2 } },
  experiment: { diffusion: { noise_schedule: 'linear', pred_name: 'epsilon', zero_terminal_snr: false } },
});

const load = (name: string) => ({
  weights: readSafetensors(readReference(`nanowm/${name}/model.safetensors`)!),
  config: parseConfig(readReferenceText(`nanowm/${name}/config.yaml`)!, 'config.yaml'),
  hyperparameters: null,
});

describe('a published checkpoint', () => {
  test.skipIf(referencePath('nanowm/csgo') === null)('leaves nothing to ask', () => {
    const csgo = understandNanowm(load('csgo'));
    expect(csgo.questions).toEqual([]);
    expect(csgo.part).toMatchObject({
      context: 4,
      stabilisation: 0.02,
      sampling: { mode: 'sequential', steps: 8 },
      diffusion: { schedule: 'squaredcos_cap_v2', steps: 1000, prediction: 'v', zeroTerminalSnr: true },
      action: { kind: 'csgo', perStep: 51, mean: null, std: null },
    });
    expect(csgo).toMatchObject({ world: 'csgo', latents: 'autoencoder-kl', display: { aspect: 280 / 150 } });
    expect(csgo.notes).toEqual([
      'The config says a width of 768 (NanoWM-B/2); the weights have 64, and this is used.',
      'The config says 12 blocks (NanoWM-B/2); the weights hold 4, and these are used.',
      'The config says 12 heads (NanoWM-B/2); the weights hold 4, and these are used.',
    ]);
  });

  test.skipIf(referencePath('nanowm/bidirectional') === null)('says what is not the default', () => {
    const { part, architecture } = understandNanowm(load('bidirectional'));
    expect(architecture.causal).toBe(false);
    expect(part.diffusion).toMatchObject({
      schedule: 'linear',
      prediction: 'epsilon',
      zeroTerminalSnr: false,
    });
  });
});

describe('a checkpoint without a config', () => {
  test('is asked about, with a default each and why', () => {
    const { questions, part, notes, world, architecture } = understand();
    expect(questions.map(({ field, default: value }) => [field, value])).toEqual([
      ['injection', 'additive'],
      ['causal', true],
      ['world', 'other'],
      ['context', 1],
      ['prediction', 'v'],
      ['noiseSchedule', 'squaredcos_cap_v2'],
      ['zeroTerminalSnr', true],
      ['actionDim', 10],
    ]);
    for (const { why } of questions) expect(why).toMatch(/^[A-Z].*\.$/);
    expect(notes).toEqual(['There is no config: what the weights do not tell is taken from the defaults.']);
    expect(part.action).toEqual({ kind: 'vector', perStep: 10, mean: null, std: null });
    expect([world, architecture.injection, architecture.causal]).toEqual(['other', 'additive', true]);
  });

  test('is not asked what its weights tell', () => {
    const film = { ...exampleWeights(sizes) };
    for (const block of [0, 1]) {
      film[`blocks.${block}.film_modulation.1.weight`] = tensor([32, 16]);
      film[`blocks.${block}.film_modulation.1.bias`] = tensor([32]);
    }
    const { questions, architecture } = understand({ tensors: film });
    expect(architecture.injection).toBe('film');
    expect(questions.map(({ field }) => field)).not.toContain('injection');
    const csgo = understand({ tensors: exampleWeights({ ...sizes, actionWidth: 51, frames: 16 }) });
    expect([csgo.world, csgo.part.action.kind, csgo.part.context]).toEqual(['csgo', 'csgo', 4]);
  });

  test('is not asked what was answered, and flow has no schedule to ask about', () => {
    const answers = {
      injection: 'adaln_fuse',
      causal: false,
      prediction: 'flow',
      world: 'maze',
      frameInterval: 5,
    };
    const { questions, architecture, part } = understand({
      answers: answers as Checkpoint['answers'] & object,
    });
    expect(questions.map(({ field }) => field)).toEqual(['context']);
    expect(architecture).toMatchObject({ injection: 'adaln_fuse', causal: false });
    expect(part.diffusion.prediction).toBe('flow');
    expect(part.action).toMatchObject({ kind: 'maze', perStep: 2 });
  });

  test('is told by the hyperparameters inside it, below the config', () => {
    const hyperparameters = { args: complete() };
    const alone = understand({ hyperparameters });
    expect([alone.questions, alone.notes]).toEqual([[], []]);
    expect(alone.part.diffusion).toMatchObject({ schedule: 'linear', prediction: 'epsilon' });
    const config = { experiment: { diffusion: { pred_name: 'x' } } };
    expect(understand({ hyperparameters, config }).part.diffusion).toMatchObject({
      schedule: 'linear',
      prediction: 'x',
    });
  });
});

describe('a config that disagrees with the weights', () => {
  test('is not followed, and that is said', () => {
    const config = complete();
    Object.assign(config.model, {
      num_frames: 16,
      n_context_frames: 9,
      latent_size: 32,
      latent_channels: 16,
    });
    Object.assign(config.dataset, { frame_interval: 3 });
    config.model.action_injection.type = 'film';
    const { notes, part, questions } = understand({ config });
    expect(notes).toEqual([
      'The config says 16 frames; the weights hold 4, and these are used.',
      'The config says a side of the latents of 32; the weights have 8, and this is used.',
      'The config says 16 latent channels; the weights hold 4, and these are used.',
      'The config says 6 numbers of action a frame; the weights hold 10, and these are used.',
      'The config says that actions are injected by film; the weights are those of additive, which is used.',
      'The config says 9 context frames; a window of 4 has at most 3.',
    ]);
    expect([part.context, part.action.perStep]).toEqual([1, 2]);
    expect(questions.map(({ field }) => field)).toEqual(['injection', 'context']);
  });

  test('is followed before an answer is, with a word about it, where the weights say nothing', () => {
    const answers = { prediction: 'x', causal: false } as const;
    const { notes, part, questions } = understand({ config: complete(), answers });
    expect([notes, questions]).toEqual([
      [
        'The config says causal true; you say false, and this is used.',
        'The config says prediction epsilon; you say x, and this is used.',
      ],
      [],
    ]);
    expect(part.diffusion.prediction).toBe('x');
  });

  test('and an answer that the weights deny are both told', () => {
    const answers = { injection: 'cross_attention' } as const;
    const { notes, architecture } = understand({ config: complete(), answers });
    expect(architecture.injection).toBe('additive');
    expect(notes.at(0)).toMatch(/^The config says action injection additive; you say cross_attention/);
    expect(notes).toContain(
      'You say that actions are injected by cross_attention; the weights are those of additive, which is used.',
    );
    expect(() => understand({ answers: { actionDim: 3 } })).toThrow(
      'invalid width of one action: 3; it must divide the 10 that the weights take',
    );
    expect(() => understand({ answers: { frameInterval: 4 } })).toThrow(/^invalid width of one action: 2\.5/);
  });
});

test('features of an encoder are recognised by name or by their channels', () => {
  const tensors = exampleWeights({ ...sizes, channels: 1024, patch: 1 });
  expect(understand({ tensors }).latents).toBe('semantic');
  const config = { ...complete(), latent_codec: { kind: 'webdino' } };
  const { latents, notes, part } = understand({ tensors, config });
  expect([latents, part.latents]).toEqual(['webdino', 'webdino']);
  expect(notes).toEqual([
    'This model predicts features of WebDINO, for which there is no decoder: rollouts take a clip of latents and give latents, not pictures.',
  ]);
});

test('statistics of the actions must be of as many numbers as one action', () => {
  const statistics = { mean: [0, 1], std: [1, 2] };
  expect(understand({ config: complete(), statistics }).part.action).toMatchObject(statistics);
  expect(() => understand({ config: complete(), statistics: { mean: [0], std: [1] } })).toThrow(
    'invalid action statistics: 1 numbers; one action has 2; give theirs',
  );
  const config = { ...complete() };
  Object.assign(config.dataset, { loader: { normalize_action: true } });
  expect(understand({ config }).notes).toEqual([expect.stringMatching(/they go in as recorded\.$/)]);
});

describe('broken weights', () => {
  test.each<[string, (all: Record<string, Tensor>) => void, RegExp]>([
    [
      'missing',
      (all) => void delete all['blocks.1.mlp.w3.weight'],
      /^missing weight: blocks\.1\.mlp\.w3\.weight; /,
    ],
    ['misshapen', (all) => void (all.temp_embed = tensor([1, 4, 8])), /^invalid weight: temp_embed of shape/],
    ['sizeless', (all) => void delete all.pos_embed, /^missing weight.*: pos_embed; /],
  ])('are one sentence before anything is read: %s', (_name, spoil, sentence) => {
    const tensors = exampleWeights(sizes);
    spoil(tensors);
    expect(() => understand({ tensors })).toThrow(sentence);
  });

  test('with NaN are named while the bundle is built, and nothing is written', async () => {
    const tensors = exampleWeights(sizes);
    tensors['blocks.0.mlp.w1.weight']!.data.fill(NaN as never, 3, 5);
    const read: number[] = [];
    const { part, world, display } = understand({ tensors, config: complete(), onRead: (n) => read.push(n) });
    expect(read).toEqual([]);
    const sink = memorySink();
    const about = {
      id: 'a',
      title: 'a',
      source: 'a',
      licence: 'a',
      world,
      display,
      storage: 'fp16',
    } as const;
    await expect(
      buildBundle({ ...about, nanowm: part }, sink, { sha256: () => Promise.resolve('') }),
    ).rejects.toThrow("invalid weight: NaN in 'blocks.0.mlp.w1.weight' (2 of 1,024 numbers); ");
    expect([sink.files.size, read.length > 0]).toEqual([0, true]);
  });
});
