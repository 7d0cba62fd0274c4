/** `npm run maze:data`: episodes of the point maze for training, from our own simulator and renderer. */
import { command } from './maze/data-command.ts';
import { runAlone } from './standalone.ts';

await runAlone('maze:data', command);
