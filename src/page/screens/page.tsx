import { lazy, Suspense } from 'react';
import type { App } from '../stores/app.ts';
import { AboutSheet } from './about-sheet.tsx';
import { Announcer } from './announcer.tsx';
import { Header, Notices } from './header.tsx';
import { HelpSheet } from './help-sheet.tsx';
import { Studio } from './studio.tsx';
import { words } from '../words.ts';
import { AppContext, useFrom } from './use-app.ts';

/** Comes when it is wanted: most visits stay in the studio. */
const ModelsScreen = lazy(() =>
  import('./models/models-screen.tsx').then((screen) => ({ default: screen.ModelsScreen })),
);

/** The header, the screen that is chosen, and what opens over it. */
export function Page({ app }: { readonly app: App }) {
  const screen = useFrom(app.view, (view) => view.screen);
  return (
    <AppContext value={app}>
      {screen === 'studio' && <SkipLink />}
      <Header />
      <Announcer />
      <Notices />
      {screen === 'studio' ? (
        <Studio />
      ) : (
        <Suspense fallback={<main className="models" />}>
          <ModelsScreen />
        </Suspense>
      )}
      <HelpSheet />
      <AboutSheet />
    </AppContext>
  );
}

/** The first stop of the Tab key: past everything to the pictures. */
function SkipLink() {
  return (
    <a
      className="skip"
      href="#stage"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('stage')?.focus();
      }}
    >
      {words.skip}
    </a>
  );
}
