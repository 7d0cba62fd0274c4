/** Entry of the page. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Boundary } from './screens/boundary.tsx';
import { Page } from './screens/page.tsx';
import { startPlayback } from './stage/playback.ts';
import { createApp } from './stores/app.ts';
import { start } from './stores/start.ts';
import { resolveTheme } from './stores/theme.ts';
import { exposeForTests } from './testing.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/panels.css';
import './styles/layout.css';
import './styles/stage.css';
import './styles/matrix.css';
import './styles/tables.css';
import './styles/sheets.css';
import './styles/trust.css';
import './styles/models.css';

const system = window.matchMedia('(prefers-color-scheme: dark)');
const app = createApp(location.hash, system.matches ? 'dark' : 'light');

function applyTheme(): void {
  const theme = resolveTheme(app.view.getState().theme, system.matches);
  // The attribute first: painters read the page's colours when the store tells them.
  document.documentElement.dataset.theme = theme;
  app.theme.setState({ theme });
}
applyTheme();
app.view.subscribe((now, before) => {
  if (now.theme !== before.theme) applyTheme();
});
system.addEventListener('change', applyTheme);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Boundary>
      <Page app={app} />
    </Boundary>
  </StrictMode>,
);
start(app);
startPlayback(app.cursor, app.view);
exposeForTests(app);
