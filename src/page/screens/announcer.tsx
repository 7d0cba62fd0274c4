import { useEffect, useState } from 'react';
import { mean, shownRun } from '../stores/runs.ts';
import { words } from '../words.ts';
import { useApp } from './use-app.ts';

/** Says the turns of a run aloud: begun, done, stopped. What changes with every row would only be noise. */
export function Announcer() {
  const app = useApp();
  const [text, setText] = useState('');
  useEffect(
    () =>
      app.live.subscribe((now, before) => {
        if (now.status === before.status) return;
        if (now.status === 'running') setText(words.announceRunning);
        if (now.status === 'idle' && before.status !== 'running') setText(words.announceStopped);
        if (now.status === 'idle' && before.status === 'running') {
          const run = shownRun(app.runs.getState());
          const { truth } = app.view.getState();
          if (run)
            setText(words.announceDone(mean(run.measures[truth].psnr), mean(run.measures[truth].ssim)));
        }
      }),
    [app],
  );
  return (
    <p className="unseen" role="status">
      {text}
    </p>
  );
}
