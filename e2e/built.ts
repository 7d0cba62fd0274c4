/** Where the built page lies and where the journeys find it; both can be named by hand, so that two suites do not meet. */
import { fileURLToPath } from 'node:url';

/** Folder of the built page. */
export const dist = process.env['E2E_DIST'] ?? fileURLToPath(new URL('../dist', import.meta.url));

export const port = Number(process.env['E2E_PORT'] ?? 4179);
