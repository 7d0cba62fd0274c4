import { expect, it, vi } from 'vitest';
import { output } from '../testing/run.ts';
import { command } from './rollout.ts';

it.each([
  [['--mode', 'lag'], 'missing option: --lag; mode lag needs it'],
  [['--mode', 'foo'], 'unknown --mode: foo; use full_sequence, pyramid, sequential, lag'],
  [['--clip', 'maze:umaze'], 'unknown clip: maze:umaze; an episode is maze:MAP:NUMBER'],
])('is refused with %j, before anything is loaded', async (argv, sentence) => {
  await expect(output(command, argv)).rejects.toThrow(sentence);
});

it('goes beyond its clip with a sentence on standard error', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const printed = await output(command, ['--steps', '1', '--horizon', '5']);
  const sentences = said.mock.calls.flat();
  said.mockRestore();
  expect(sentences).toEqual([
    'The clip has 4 frames; those after them have no truth to be measured against.',
  ]);
  expect(printed).toContain('sequential, 1 step, stabilisation 0.02');
});
