/** YAML configuration files, as Hydra writes them: one document of maps, lists and scalars. */
import { parse } from 'yaml';
import { invalid } from '../errors.ts';

/**
 * The value in `text` (YAML 1.2 core schema); `label` stands in the error. Interpolations such as
 * `${model.latent_channels}` stay as text.
 */
export function parseYaml(text: string, label = 'YAML file'): unknown {
  try {
    // Aliases may not multiply the document: 100 uses are plenty for a configuration.
    return parse(text, { maxAliasCount: 100, logLevel: 'error', prettyErrors: false });
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    throw invalid('YAML', label, `${reason}; correct the file`);
  }
}
