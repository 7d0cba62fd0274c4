/** What a server's refusal means for the visitor, one sentence each. */
import { missing, unsupported } from '../../../models/errors.ts';
import { Interrupted } from './interrupted.ts';

const BY_HAND = 'download the file in the browser and drop it onto this page';

/** For an answer that is neither the file nor a part of it. `Interrupted` when it is worth another try. */
export function refusal(response: Response, url: string, now: number): Error {
  const { status } = response;
  const what = `${url} (HTTP ${String(status)})`;
  if (status === 401 || status === 403) return missing('access', what, accessRemedy(response));
  if (status === 404 || status === 410) return missing('file', what, NOT_FOUND[errorCode(response)] ?? CHECK);
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return new Interrupted('busy', retryAfter(response.headers.get('retry-after'), now), status);
  }
  return unsupported('answer', what, `no file comes with it: check the address, or ${BY_HAND}`);
}

/** The host does not answer, or not to pages of other sites (a browser does not tell which). */
export function unreachable(url: string): Error {
  const remedy = `its host cannot be reached, or lets no page of another site read its files (CORS): check the connection and the address, or ${BY_HAND}`;
  return missing('file', url, remedy);
}

/** After the last try. @param kept what is here, in words; '' when nothing is */
export function gaveUp(error: Interrupted, url: string, kept: string): Error {
  const later = kept === '' ? 'try again later' : `try again later: ${kept} are kept, and it continues there`;
  switch (error.why) {
    case 'busy':
      return missing(
        'file',
        `${url} (HTTP ${String(error.status)})`,
        error.wait !== null && error.wait > 60_000
          ? `the server asks to wait ${String(Math.ceil(error.wait / 60_000))} minutes; ${later}`
          : `the server is too busy; ${later}`,
      );
    case 'unreachable':
      return missing('file', url, `its host cannot be reached any more: check the connection and ${later}`);
    case 'silent':
      return missing('file', url, `its host sends no more bytes: check the connection and ${later}`);
    case 'broken':
      return missing('file', url, `the connection breaks again and again: check it and ${later}`);
  }
}

const CHECK = 'there is no such file: check the address';

/** Codes that Hugging Face sends beside the status; others do not. */
const NOT_FOUND: Partial<Record<string, string>> = {
  RepoNotFound: 'there is no such repository: check its name',
  RevisionNotFound: 'the repository has no such branch or tag: check the address, or use main',
  EntryNotFound: 'the repository has no such file: check its list of files',
};

function accessRemedy(response: Response): string {
  switch (errorCode(response)) {
    case 'GatedRepo':
      return `the repository is gated: log in on its page, accept its licence there, then ${BY_HAND}`;
    case 'RepoNotFound':
      return `there is no such public repository: check its name; if it is private, log in on its page and ${BY_HAND}`;
    default:
      return `the server gives it only to people who are logged in (a private or gated repository, or a name that does not exist): check the address; where there is a licence to accept, accept it on the site, then ${BY_HAND}`;
  }
}

function errorCode(response: Response): string {
  return response.headers.get('x-error-code') ?? '';
}

/** Milliseconds; the header has seconds or a date. @param now milliseconds since 1970 */
export function retryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
