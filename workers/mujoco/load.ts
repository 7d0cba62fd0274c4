/** MuJoCo in a worker of the page. */
import loadMujoco from '@mujoco/mujoco';
import type { MainModule } from '@mujoco/mujoco';
import wasmUrl from '@mujoco/mujoco/mujoco.wasm?url';
import { unsupported } from '../../models/errors.ts';

let loaded: Promise<MainModule> | null = null;

/**
 * The module, fetched once (10 MB) when the first episode is asked for; a failed load is tried again
 * the next time. Its bindings use `new Function`, which a policy in a meta element of the page does
 * not forbid to workers, but a Content-Security-Policy header on the worker's own script would.
 * @throws unsupported physics, with what the engine said
 */
export function mujocoInBrowser(): Promise<MainModule> {
  // Said once, in our words: Emscripten's own lines on the console would say it twice.
  loaded ??= loadMujoco({ locateFile: () => wasmUrl, printErr: () => undefined }).catch((error: unknown) => {
    loaded = null;
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw unsupported('physics', reason, 'MuJoCo did not start: reload the page, or use a recorded clip');
  });
  return loaded;
}
