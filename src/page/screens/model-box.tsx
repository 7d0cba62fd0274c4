import { useCallback, useMemo } from 'react';
import { Button } from '../ui/button.tsx';
import { LiveProgress } from '../ui/live-progress.tsx';
import { LiveText } from '../ui/live-text.tsx';
import { Note } from '../ui/note.tsx';
import { bytes, words } from '../words.ts';
import { useApp, useFrom } from './use-app.ts';

/** The model: loading it, what it runs on, what went wrong. */
export function ModelBox() {
  const app = useApp();
  const status = useFrom(app.model, (model) => model.status);
  const unknown = useFrom(app.bundle, (bundle) => bundle.failure !== null);
  if (unknown) {
    return (
      <section className="model-box" aria-label={words.model}>
        <h2>{words.model}</h2>
        <BundleFailure />
      </section>
    );
  }
  return (
    <section className="model-box" aria-label={words.model}>
      <h2>{words.model}</h2>
      {status === 'empty' && (
        <Note
          sentence={words.modelEmpty}
          action={{ label: words.load, onPress: () => void app.openModel() }}
        />
      )}
      {status === 'loading' && <Loading />}
      {status === 'ready' && <Ready />}
      {status === 'failed' && <Failed />}
    </section>
  );
}

/** Why not even the model's description is there, and trying again. */
export function BundleFailure() {
  const app = useApp();
  const failure = useFrom(app.bundle, (bundle) => bundle.failure);
  if (failure === null) return null;
  // Whoever tries again wants the model, not only its description.
  const retry = async (): Promise<void> => {
    await app.loadBundle();
    if (app.bundle.getState().status === 'ready') await app.openModel();
  };
  return (
    <Note
      tone="bad"
      sentence={`${words.modelFailed} ${failure}`}
      action={{ label: words.retry, onPress: () => void retry() }}
    />
  );
}

function Loading() {
  const app = useApp();
  const sources = useMemo(() => [app.model], [app]);
  const read = useCallback(() => app.loadWords(), [app]);
  const share = useCallback(() => app.loadShare(), [app]);
  return (
    <div className="note">
      <p>
        <LiveText sources={sources} read={read} />
      </p>
      <LiveProgress sources={sources} read={share} label={words.loadStages.download} />
      <Button label={words.cancel} onPress={app.cancelLoading} />
    </div>
  );
}

function Ready() {
  const app = useApp();
  const opened = useFrom(app.model, (model) => (model.status === 'ready' ? model.opened : null));
  if (!opened) return null;
  const { manifest, device } = opened;
  const size = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0);
  return (
    <div className="note">
      <p className="model-title">{manifest.title}</p>
      <p title={`${device.adapter}, ${device.runtime}`}>
        {words.onDevice(device)}, {bytes(size)}
      </p>
      {device.fallbacks.map((sentence) => (
        <p key={sentence} className="model-fallback">
          {sentence}
        </p>
      ))}
    </div>
  );
}

function Failed() {
  const app = useApp();
  const failed = useFrom(app.model, (model) => (model.status === 'failed' ? model : null));
  if (!failed) return null;
  return (
    <Note
      tone="bad"
      sentence={`${words.modelFailed} ${failed.sentence}`}
      details={{ label: words.details, text: failed.details }}
      action={{ label: words.retry, onPress: () => void app.openModel() }}
    />
  );
}
