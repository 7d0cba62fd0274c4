import { Button } from '../ui/button.tsx';
import type { IconName } from '../ui/icon.tsx';
import { SCREENS } from '../stores/view.ts';
import type { ThemeChoice } from '../stores/view.ts';
import { ModeGlyph } from '../ui/mode-glyph.tsx';
import { words } from '../words.ts';
import { TrustLight } from './trust-light.tsx';
import { useApp, useFrom } from './use-app.ts';

const NEXT_THEME: Record<ThemeChoice, ThemeChoice> = { auto: 'light', light: 'dark', dark: 'auto' };
const THEME_ICONS: Record<ThemeChoice, IconName> = { auto: 'auto', light: 'light', dark: 'dark' };

export function Header() {
  const app = useApp();
  const theme = useFrom(app.view, (view) => view.theme);
  const screen = useFrom(app.view, (view) => view.screen);
  const canUndo = useFrom(app.settings.store, (state) => state.past.length > 0);
  const canRedo = useFrom(app.settings.store, (state) => state.future.length > 0);
  return (
    <header className="header">
      <h1 className="header-name">
        <ModeGlyph lag={1} />
        <span className="header-product">{words.product}</span>
      </h1>
      <nav className="header-screens" aria-label={words.screens}>
        {SCREENS.map((name) => (
          <button
            key={name}
            type="button"
            className="header-screen"
            aria-current={name === screen ? 'page' : undefined}
            onClick={() => app.view.setState({ screen: name, sheet: null })}
          >
            {words.screenNames[name]}
          </button>
        ))}
      </nav>
      <p className="header-tagline">{words.tagline}</p>
      <div className="header-tools">
        <TrustLight />
        <span className="header-history">
          <Button
            kind="quiet"
            iconOnly
            icon="undo"
            label={words.undo}
            keys="Ctrl+Z"
            disabled={!canUndo}
            onPress={app.settings.undo}
          />
          <Button
            kind="quiet"
            iconOnly
            icon="redo"
            label={words.redo}
            keys="Shift+Ctrl+Z"
            disabled={!canRedo}
            onPress={app.settings.redo}
          />
        </span>
        <Button kind="quiet" iconOnly icon="link" label={words.share} keys="S" onPress={app.share} />
        <Button
          kind="quiet"
          iconOnly
          icon={THEME_ICONS[theme]}
          label={`${words.theme}: ${words.themes[theme]}`}
          onPress={() => app.view.setState({ theme: NEXT_THEME[theme] })}
        />
        <Button
          kind="quiet"
          iconOnly
          icon="info"
          label={words.about}
          onPress={() => app.view.setState({ sheet: 'about' })}
        />
        <Button
          kind="quiet"
          iconOnly
          icon="help"
          label={words.help}
          keys="?"
          onPress={() => app.view.setState({ sheet: 'help' })}
        />
      </div>
    </header>
  );
}

export function Notices() {
  const app = useApp();
  const notices = useFrom(app.notices.store, (list) => list);
  return (
    <div className="notices" role="status">
      {notices.map(({ id, tone, sentence }) => (
        <div key={id} className={`notice notice-${tone}`}>
          <p>{sentence}</p>
          <Button
            kind="quiet"
            iconOnly
            icon="close"
            label={words.dismiss}
            onPress={() => app.notices.dismiss(id)}
          />
        </div>
      ))}
    </div>
  );
}
