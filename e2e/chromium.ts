/**
 * Finds a full Chromium (the headless shell has no WebGPU), or gets one: a system browser first, then
 * Playwright's own download, then the distribution's package when we are root.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const systemPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Path of a Chromium that is there already, or null. `CHROMIUM` names one by hand. */
export function findChromium(): string | null {
  const named = process.env['CHROMIUM'];
  if (named) {
    if (!existsSync(named)) throw new Error(`missing browser: ${named}; CHROMIUM must name an existing file`);
    return named;
  }
  const own = chromium.executablePath();
  return [...systemPaths, own].find((path) => existsSync(path)) ?? null;
}

/** As findChromium, but installs one when there is none. Throws one sentence when that fails too. */
export function ensureChromium(): string {
  const found = findChromium();
  if (found) return found;
  console.error('No Chromium found: trying the download of Playwright.');
  attempt('npx', ['playwright', 'install', '--no-shell', 'chromium']);
  const downloaded = findChromium();
  if (downloaded) return downloaded;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.error("That failed: installing the distribution's package.");
    attempt('apt-get', ['update', '-qq']);
    attempt('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium']);
  }
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(
    'missing browser: no Chromium was found and none could be installed; install one and set CHROMIUM to its path',
  );
}

function attempt(command: string, args: string[]): void {
  spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: 300_000 });
}
