import { isBusy } from '../stores/live.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { ABOUT } from '../words/about.ts';
import { words } from '../words.ts';
import { useApp, useFrom } from './use-app.ts';

export function AboutSheet() {
  const app = useApp();
  const open = useFrom(app.view, ({ sheet }) => sheet === 'about');
  return (
    <Sheet title={words.product} closeLabel={words.close} open={open} onClose={app.closeSheet}>
      <div className="about">
        <p className="about-privacy">{words.privacy}</p>
        {ABOUT.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <h2>{ABOUT.worksTitle}</h2>
        <table className="table table-words">
          <tbody>
            {ABOUT.works.map(({ where, how }) => (
              <tr key={where}>
                <th scope="row">{where}</th>
                <td>{how}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <ThisDevice />
      </div>
    </Sheet>
  );
}

function ThisDevice() {
  const app = useApp();
  const opened = useFrom(app.model, (model) => (model.status === 'ready' ? model.opened : null));
  const removing = useFrom(app.opening.removing, (is) => is);
  const busy = useFrom(app.live, isBusy);
  return (
    <>
      <h2>{ABOUT.deviceTitle}</h2>
      <p>{opened ? ABOUT.device(opened.device) : ABOUT.deviceUnknown}</p>
      {opened?.device.fallbacks.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p>
        <Button
          label={removing ? words.forgetting : words.forget}
          disabled={removing || busy}
          onPress={() => void app.forget()}
        />
      </p>
      {busy && <p>{words.forgetLater}</p>}
    </>
  );
}
