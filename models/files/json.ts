/** JSON from outside: parse errors become one sentence that names the document. */
import { invalid } from '../errors.ts';

/** The value in `text`; `label` (say, the file's name) stands in the error. */
export function parseJson(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/\s+/g, ' ');
    throw invalid('JSON', label, `${reason}; correct the file`);
  }
}
