/** Looks on while a journey goes: what the console said, and where requests went, workers included. */
import type { BrowserContext, Page, Request } from '@playwright/test';

export interface Watched {
  /** Addresses of all requests so far. */
  readonly requests: readonly string[];
  /** Those of them that asked for a bundle's graphs and weights. */
  weights(): string[];
  /** Lets console errors be that a journey provokes, for example a file that is not there. */
  allow(error: RegExp): void;
  /** Lets requests go to another origin: the visitor named it. */
  visit(origin: string): void;
  /** Errors that were not allowed, violations of the page's security policy, and requests to elsewhere. */
  problems(): string[];
  /** Forgets the requests so far. */
  forgetRequests(): void;
}

/** The graphs of a bundle, and the weights that lie beside them. */
const WEIGHTS = /\.(onnx|bin)$/;

/** @param origin the only one that requests may go to. */
export async function watch(context: BrowserContext, origin: string): Promise<Watched> {
  const requests: string[] = [];
  const errors: string[] = [];
  const allowed: RegExp[] = [];
  const visited: string[] = [];
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`security policy violated: ${violatedDirective}, ${blockedURI}`);
    });
  });
  const listen = (page: Page) => {
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('crash', () => errors.push('the page crashed'));
  };
  context.pages().forEach(listen);
  context.on('page', listen);
  context.on('request', (request: Request) => requests.push(request.url()));
  return {
    requests,
    weights: () => requests.filter((url) => WEIGHTS.test(url)),
    allow: (error) => allowed.push(error),
    visit: (other) => visited.push(other),
    forgetRequests: () => {
      requests.length = 0;
    },
    problems: () => [
      ...errors.filter((error) => !allowed.some((pattern) => pattern.test(error))),
      ...requests
        .filter((url) => ![origin, ...visited].some((one) => stays(url, one)))
        .map((url) => `a request left: ${url}`),
    ],
  };
}

/** Data and blob addresses are the page's own bytes. */
function stays(url: string, origin: string): boolean {
  const { protocol } = new URL(url);
  return (
    protocol === 'data:' ||
    protocol === 'about:' ||
    url.startsWith(`blob:${origin}`) ||
    new URL(url).origin === origin
  );
}
