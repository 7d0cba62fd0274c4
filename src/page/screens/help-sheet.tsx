import { Fragment } from 'react';
import { Sheet } from '../ui/sheet.tsx';
import { KEYS } from '../words/keys.ts';
import { words } from '../words.ts';
import { useApp, useFrom } from './use-app.ts';

export function HelpSheet() {
  const app = useApp();
  const open = useFrom(app.view, ({ sheet }) => sheet === 'help');
  return (
    <Sheet title={words.help} closeLabel={words.close} open={open} onClose={app.closeSheet}>
      <dl className="keys">
        {KEYS.map(({ keys, what }) => (
          <Fragment key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className="key">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </Fragment>
        ))}
      </dl>
    </Sheet>
  );
}
