import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { GivenFile } from '../../../../workers/protocol.ts';
import { dropped, picked } from '../../stores/given.ts';
import { Button } from '../../ui/button.tsx';
import { LiveProgress } from '../../ui/live-progress.tsx';
import { LiveText } from '../../ui/live-text.tsx';
import { Note } from '../../ui/note.tsx';
import { MODEL_WORDS } from '../../words/models.ts';
import { words } from '../../words.ts';
import { useApp, useFrom } from '../use-app.ts';
import { ConvertForm } from './convert-form.tsx';

/** Files from disk, by dropping or by choosing. */
export function BringModel() {
  const app = useApp();
  const working = useFrom(app.models.store, ({ work }) => work !== null);
  const given = useFrom(app.models.store, (state) => state.given);
  const failure = useFrom(app.models.store, (state) => (state.status === 'ready' ? state.failure : null));
  const take = useCallback((files: readonly GivenFile[]) => void app.bringModel(files), [app]);
  const over = useDrop(take);
  // It stays when a fetch fails.
  const [text, setText] = useState('');
  return (
    <section className="models-bring" aria-label={MODEL_WORDS.bring} data-over={over || undefined}>
      <h2>{over ? MODEL_WORDS.drop : MODEL_WORDS.bring}</h2>
      <p className="models-hint">{MODEL_WORDS.bringHint}</p>
      {working && <Working />}
      {!working && given && <ConvertForm given={given} />}
      {!working && !given && (
        <div className="models-choose">
          <Picker label={MODEL_WORDS.chooseFiles} onPick={take} />
          <Picker label={MODEL_WORDS.chooseFolder} folder onPick={take} />
        </div>
      )}
      {!working && !given && <Elsewhere text={text} onText={setText} />}
      {failure !== null && !working && <Note tone="bad" sentence={failure} />}
    </section>
  );
}

/** A repository or an address, and the download that was broken off. */
function Elsewhere({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const app = useApp();
  const unfinished = useFrom(app.models.store, (state) => state.unfinished);
  const wanted = text.trim();
  return (
    <>
      {unfinished && (
        <Note
          sentence={MODEL_WORDS.unfinished(unfinished.title)}
          action={{ label: MODEL_WORDS.goOn, onPress: () => void app.fetchModel(unfinished) }}
        >
          <Button
            kind="text"
            label={MODEL_WORDS.forgetDownloads}
            onPress={() => void app.models.clearDownloads()}
          />
        </Note>
      )}
      <form
        className="models-address"
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== '') void app.fetchModel({ title: wanted, addresses: wanted.split(/\s+/) });
        }}
      >
        <label>
          {MODEL_WORDS.address}
          <input
            className="text"
            value={text}
            placeholder="owner/name"
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            onChange={(event) => onText(event.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={wanted === ''}>
          {MODEL_WORDS.fetch}
        </button>
        <small className="models-hint">
          {MODEL_WORDS.addressHint}. {MODEL_WORDS.fetchPrivacy}
        </small>
      </form>
    </>
  );
}

function Working() {
  const app = useApp();
  const sources = useMemo(() => [app.models.store], [app]);
  const read = useCallback(() => {
    const { work } = app.models.store.getState();
    if (work === null) return '';
    if (work.cancelling) return MODEL_WORDS.cancelling;
    return work.progress ? MODEL_WORDS.progress(work.progress) : MODEL_WORDS.working(work.name);
  }, [app]);
  const share = useCallback(() => {
    const progress = app.models.store.getState().work?.progress;
    return progress ? progress.doneBytes / Math.max(1, progress.totalBytes) : 0;
  }, [app]);
  return (
    <div className="note">
      <p role="status">
        <LiveText sources={sources} read={read} />
      </p>
      <LiveProgress sources={sources} read={share} label={MODEL_WORDS.bring} />
      <Button label={words.cancel} onPress={app.models.cancel} />
    </div>
  );
}

interface PickerProps {
  readonly label: string;
  readonly folder?: boolean;
  readonly onPick: (files: readonly GivenFile[]) => void;
}

/** The browser's own dialog, behind a button like the others. */
function Picker({ label, folder = false, onPick }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button label={label} onPress={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        className="unseen"
        tabIndex={-1}
        aria-label={label}
        multiple
        {...(folder ? { webkitdirectory: '' } : {})}
        onChange={(event) => {
          const files = picked(event.target.files ?? []);
          // The same files can be chosen again after a failure.
          event.target.value = '';
          if (files.length > 0) onPick(files);
        }}
      />
    </>
  );
}

/** Takes what is dropped anywhere on the page; true while something is held over it. */
function useDrop(take: (files: readonly GivenFile[]) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const hold = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      void dropped(event.dataTransfer!).then((files) => {
        if (files.length > 0) take(files);
      });
    };
    window.addEventListener('dragover', hold);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', hold);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [take]);
  return over;
}
