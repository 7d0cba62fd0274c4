/** The config beside a checkpoint, from its text or from what a trainer put into the checkpoint itself. */
import { invalid } from '../errors.ts';
import { parseYaml } from '../files/yaml.ts';
import { configFromHydra } from './hydra.ts';
import type { HydraFacts } from './hydra.ts';

/**
 * The map in a YAML or JSON text.
 * @throws one sentence when it is a web page, another file, or no map
 */
export function parseConfig(text: string, label: string): Record<string, unknown> {
  if (/^\ufeff?\s*<(?:!doctype|html|\?xml)/i.test(text)) {
    throw invalid('config', label, 'it is a web page, not the file; download the file itself (raw)');
  }
  if (text.includes('\u0000')) {
    throw invalid('config', label, 'it is no text; give the config.yaml or config.json of the model');
  }
  const document = parseYaml(text, label);
  if (isMap(document)) return document;
  throw invalid('config', label, 'it holds no settings; give the config.yaml or config.json of the model');
}

/** Where trainers keep the config inside their hyperparameters. */
const PLACES = ['args', 'cfg', 'config', 'hparams'];

/** The config inside the hyperparameters of a Lightning checkpoint; null when there is none. */
export function configOfHyperparameters(hyperparameters: unknown): Record<string, unknown> | null {
  if (!isMap(hyperparameters)) return null;
  if (isMap(hyperparameters.model) || isMap(hyperparameters.experiment)) return hyperparameters;
  for (const place of PLACES) {
    const inside = configOfHyperparameters(hyperparameters[place]);
    if (inside !== null) return inside;
  }
  return null;
}

/** What the config says and, where it is silent, what the hyperparameters say. @throws as `configFromHydra` */
export function factsOf(config: unknown, hyperparameters: unknown): HydraFacts {
  const first = configFromHydra(config);
  const second = configFromHydra(configOfHyperparameters(hyperparameters));
  const merged = Object.entries(first).map(([key, value]) => [key, value ?? second[key as keyof HydraFacts]]);
  return Object.fromEntries(merged) as unknown as HydraFacts;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
