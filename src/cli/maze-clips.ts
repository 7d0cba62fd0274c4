/** `npm run maze:clips`: the gallery's clips of the maze, from episodes that no training set holds. */
import { command } from './maze/clips-command.ts';
import { runAlone } from './standalone.ts';

await runAlone('maze:clips', command);
