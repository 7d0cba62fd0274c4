/** What `rollout` is asked for, from a spec file or a link, before any manifest is there. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { invalid, unknown, unsupported } from '../../models/errors.ts';
import { readLink } from '../../models/run-address.ts';
import type { NodeRuntime } from '../../workers/node/session.ts';
import { readJson } from './files.ts';

/** JSON for parseSpec, not checked yet but for being an object. */
export type Asked = Readonly<Record<string, unknown>>;

/** What is served with the page. */
const embedded = (path: string) => fileURLToPath(new URL(`../../public/${path}`, import.meta.url));
/** Names that stay inside their folder. */
const NAME = /^[a-z0-9][a-z0-9._-]*$/;

/**
 * @param spec path of a JSON file, or a link of the page (its address, or what stands from its # on)
 * @throws one sentence about the file or about the part of the link that is wrong
 */
export async function readAsked(spec: string | undefined): Promise<Asked> {
  if (spec === undefined) return {};
  if (/^(https?:|#)/.test(spec)) return readLink(/#.*/s.exec(spec)?.[0] ?? '').run;
  const json = await readJson(spec);
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Asked;
  throw invalid('run spec', spec, 'it is not a JSON object; correct the file');
}

/** @param given the folder on the command line, which goes before the spec's bundle */
export function bundleFolder(given: string | undefined, { bundle }: Asked): string {
  if (given !== undefined) return given;
  if (typeof bundle !== 'string' || bundle === '') return embedded('bundles/maze');
  const folder = embedded(`bundles/${bundle}`);
  if (NAME.test(bundle) && existsSync(folder)) return folder;
  throw unknown('bundle', bundle, 'the spec names it; give its folder with --bundle');
}

/**
 * The clip's file, and its name in the result: the embedded one's id, or the path.
 * @param given the file on the command line, which goes before the spec's clip
 */
export function clipFile(given: string | undefined, { clip }: Asked): { path: string; name: string } {
  if (given !== undefined) return { path: given, name: given };
  const name = typeof clip === 'string' && clip !== '' ? clip : 'maze-01';
  const path = embedded(`clips/${name}.npz`);
  if (NAME.test(name) && existsSync(path)) return { path, name };
  if (existsSync(name)) return { path: name, name };
  throw unknown('clip', name, 'the spec names it; give its file with --clip');
}

/** @throws for a backend that only browsers have; a wrong word is left to parseSpec */
export function runtimeOf({ backend }: Asked): NodeRuntime {
  if (backend === 'webgpu') throw unsupported('backend', backend, 'the command line has node and wasm');
  return backend === 'node' || backend === 'wasm' ? backend : 'auto';
}
