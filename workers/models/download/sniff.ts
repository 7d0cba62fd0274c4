/** What servers send in place of weights: web pages and git-lfs pointers, told by their first bytes. */
import { invalid } from '../../../models/errors.ts';
import type { PlaygroundError } from '../../../models/errors.ts';

/** Bytes that are enough to tell. */
export const SNIFFED = 512;

const REMEDY_PAGE =
  'the server sent a web page in its place: give the address behind the download button, or download the file in the browser and drop it onto this page';
const REMEDY_POINTER =
  "it is only git-lfs' note of where the file lies: give the address behind the download button (on Hugging Face .../resolve/...), or run `git lfs pull` and drop the file onto this page";

/** A sentence when the answer's `Content-Type` is a web page's; no model file has it. */
export function pageByType(name: string, contentType: string | null): PlaygroundError | null {
  return /^\s*(?:text\/html|application\/xhtml)/i.test(contentType ?? '')
    ? invalid('model file', name, REMEDY_PAGE)
    : null;
}

/** A sentence when the first bytes are no file that holds a model. @param first up to SNIFFED bytes */
export function notWeights(name: string, first: Uint8Array): PlaygroundError | null {
  // Latin-1: every byte is a character, whatever the file is.
  const text = String.fromCharCode(...first.subarray(0, SNIFFED));
  if (/^version https:\/\/git-lfs\.github\.com\/spec\//.test(text)) {
    return invalid('model file', name, REMEDY_POINTER);
  }
  const start = text.replace(/^(?:\u00ef\u00bb\u00bf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*/, '');
  if (/^<(?:!doctype\s+html|html|head|body|script)\b/i.test(start)) {
    return invalid('model file', name, REMEDY_PAGE);
  }
  return null;
}
