/** Commands run inside a test: what they print, and folders that go with the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { parse } from '../command.ts';
import type { Command } from '../command.ts';

/** Standard output of `command` on `argv`. @throws what the command throws */
export async function output(
  command: Command,
  argv: readonly string[],
  stopped: { readonly aborted: boolean } = { aborted: false },
): Promise<string> {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  try {
    await command.run(parse(command, argv, stopped));
  } finally {
    log.mockRestore();
  }
  return lines.join('\n');
}

/** What `--json` prints. */
export async function json(command: Command, argv: readonly string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await output(command, [...argv, '--json'])) as Record<string, unknown>;
}

/** An empty folder that is removed when the test has finished. */
export function workspace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nanowm-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
