import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { words } from '../words.ts';
import { ClipsPanel } from './clips-panel.tsx';
import { useKeyboard } from './keyboard.ts';
import { MatrixPanel } from './matrix-panel.tsx';
import { MeasuresPanel } from './measures-panel.tsx';
import { BundleFailure, ModelBox } from './model-box.tsx';
import { CostLine, RunBox, RunButton, RunFailure } from './run-box.tsx';
import { RunsPanel } from './runs-panel.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { StagePanel } from './stage-panel.tsx';
import { Transport } from './transport.tsx';
import { useApp, useFrom } from './use-app.ts';
import { useNarrow } from './use-narrow.ts';

/** Clips on the left, pictures and matrix in the middle, the wanted run on the right. */
export function Studio() {
  const app = useApp();
  useKeyboard(app);
  const narrow = useNarrow();
  return (
    <>
      <main className="studio">
        {!narrow && (
          <aside className="side side-clips">
            <ClipsPanel />
          </aside>
        )}
        <div className="centre">
          <StagePanel />
          <Transport />
          <div className="lower">
            <MatrixPanel />
            <div className="produced">
              <MeasuresPanel />
              <RunsPanel />
            </div>
          </div>
        </div>
        {!narrow && (
          <aside className="side side-settings">
            <SettingsPanel />
            <RunBox />
            <ModelBox />
          </aside>
        )}
      </main>
      {narrow && <Bar />}
      {narrow && <NarrowSheets />}
    </>
  );
}

/** On a phone: what it costs and Run stay in reach of the thumb. */
function Bar() {
  const app = useApp();
  return (
    <div className="bar">
      <div className="bar-failure">
        <BundleFailure />
        <RunFailure always />
      </div>
      <Button
        kind="quiet"
        iconOnly
        icon="film"
        label={words.clips}
        onPress={() => app.view.setState({ sheet: 'clips' })}
      />
      <Button
        kind="quiet"
        iconOnly
        icon="settings"
        label={words.settings}
        onPress={() => app.view.setState({ sheet: 'settings' })}
      />
      <CostLine />
      <RunButton />
    </div>
  );
}

function NarrowSheets() {
  const app = useApp();
  const sheet = useFrom(app.view, (view) => view.sheet);
  return (
    <>
      <Sheet title={words.clips} closeLabel={words.close} open={sheet === 'clips'} onClose={app.closeSheet}>
        <ClipsPanel />
      </Sheet>
      <Sheet
        title={words.settings}
        closeLabel={words.close}
        open={sheet === 'settings'}
        onClose={app.closeSheet}
      >
        <SettingsPanel />
        <ModelBox />
      </Sheet>
    </>
  );
}
