/** What the page loads before the runtime: JavaScript and styles of the built page, gzipped. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Row } from './measure.ts';

/** Follows index.html and the static imports of its scripts; lazily loaded parts are listed apart. */
export function pageSize(dist: string): Row[] {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const entry = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map((match) => match[1]!);
  const first = new Set<string>();
  const later = new Set<string>();
  const visit = (file: string, seen: Set<string>) => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(join(dist, file), 'utf8');
    for (const match of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      visit(`assets/${match[1]!}`, seen);
    for (const match of code.matchAll(/import\(\s*["'`]\.\/([^"'`]+\.js)["'`]\s*\)/g))
      later.add(`assets/${match[1]!}`);
  };
  entry.forEach((file) => {
    visit(file, first);
  });
  const lazily = new Set<string>();
  for (const file of later) visit(file, lazily);
  const zipped = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0);
  const apart = [...lazily].filter((file) => !first.has(file));
  return [
    {
      what: 'page JavaScript before the runtime, gzipped',
      value: `${(zipped(first) / 1000).toFixed(1)} kB`,
      wanted: 'at most 180 kB',
    },
    {
      what: 'of the page, loaded later on demand, gzipped',
      value: `${(zipped(apart) / 1000).toFixed(1)} kB`,
      wanted: '',
    },
  ];
}
