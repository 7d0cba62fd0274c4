/** What `rollout` is asked for, from a spec file or a link, before any manifest is there. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { invalid, unknown, unsupported } from '../../models/errors.ts';
import { readLink } from '../../models/run-address.ts';
import { parseEpisode, wrongEpisode } from '../../models/worlds/maze/live.ts';
import type { EpisodeName } from '../../models/worlds/maze/live.ts';
import type { NodeRuntime } from '../../workers/node/session.ts';
import { readJson } from './files.ts';

/** JSON for parseSpec, not checked yet but for being an object. */
export type Asked = Readonly<Record<string, unknown>>;

/** What is served with the page. */
const embedded = (path: string) => fileURLToPath(new URL(`../../public/${path}`, import.meta.url));
/** Names that stay inside their folder. */
const NAME = /^[a-z0-9][a-z0-9._-]*$/;

/**
 * @param spec path of a JSON file (a spec, or the result of a run, which holds its own), or a link of the page (its
 *   address, or what stands from its # on)
 * @throws one sentence about the file or about the part of the link that is wrong
 */
export async function readAsked(spec: string | undefined): Promise<Asked> {
  if (spec === undefined) return {};
  if (/^(https?:|#)/.test(spec)) return readLink(/#.*/s.exec(spec)?.[0] ?? '').run;
  const json = await readJson(spec);
  if (isObject(json)) return isObject(json.spec) ? json.spec : json;
  throw invalid('run spec', spec, 'it is not a JSON object; correct the file');
}

function isObject(json: unknown): json is Asked {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** @param given the folder on the command line, which goes before the spec's bundle */
export function bundleFolder(given: string | undefined, { bundle }: Asked): string {
  if (given !== undefined) return given;
  if (typeof bundle !== 'string' || bundle === '') return embedded('bundles/maze');
  const folder = embedded(`bundles/${bundle}`);
  if (NAME.test(bundle) && existsSync(folder)) return folder;
  throw unknown('bundle', bundle, 'the spec names it; give its folder with --bundle');
}

/** A clip's file or the episode to simulate, and the clip's name in the result. */
export type ClipSource = { readonly name: string } & (
  { readonly path: string } | { readonly episode: EpisodeName }
);

/**
 * The embedded clip of an id, an episode (`maze:umaze:1234`), or the path of a file.
 * @param given the clip on the command line, which goes before the spec's
 */
export function clipSource(given: string | undefined, { clip }: Asked): ClipSource {
  const name = given ?? (typeof clip === 'string' && clip !== '' ? clip : 'maze-01');
  const path = embedded(`clips/${name}.npz`);
  if (NAME.test(name) && existsSync(path)) return { path, name };
  const episode = parseEpisode(name);
  if (episode !== null) return { episode, name };
  const wrong = existsSync(name) ? null : wrongEpisode(name);
  if (wrong) throw wrong;
  // What is wrong with a path on the command line is said when it is opened.
  if (given !== undefined || existsSync(name)) return { path: name, name };
  throw unknown('clip', name, 'the spec names it; give its file with --clip');
}

/** @throws for a backend that only browsers have; a wrong word is left to parseSpec */
export function runtimeOf({ backend }: Asked): NodeRuntime {
  if (backend === 'webgpu') throw unsupported('backend', backend, 'the command line has node and wasm');
  return backend === 'node' || backend === 'wasm' ? backend : 'auto';
}
