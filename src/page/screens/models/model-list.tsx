import { useState } from 'react';
import { localName } from '../../../../models/bundle/local.ts';
import type { Manifest } from '../../../../models/bundle/manifest.ts';
import type { LocalBundle } from '../../../../workers/protocol.ts';
import { FIRST_DEFAULTS } from '../../stores/bundle.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { MODEL_WORDS } from '../../words/models.ts';
import { bytes, words } from '../../words.ts';
import { useApp, useFrom } from '../use-app.ts';

/** The served model and the visitor's own, each with what can be done to it. */
export function ModelList() {
  const app = useApp();
  const { status, served, own, failure } = useFrom(app.models.store, (state) => state);
  return (
    <section className="models-list" aria-label={MODEL_WORDS.here}>
      <h2>{MODEL_WORDS.here}</h2>
      <div className="table-box">
        <table className="table models-table">
          <thead>
            <tr>
              {Object.values(MODEL_WORDS.heads).map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              <th>
                <span className="unseen">{MODEL_WORDS.use}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {served && (
              <Row
                name={FIRST_DEFAULTS.bundle}
                whose={MODEL_WORDS.served}
                manifest={served}
                size={Object.values(served.files).reduce((sum, file) => sum + file.bytes, 0)}
              />
            )}
            {own.map((bundle) => (
              <Own key={bundle.id} bundle={bundle} />
            ))}
          </tbody>
        </table>
      </div>
      {status === 'loading' && <Note sentence={MODEL_WORDS.loading} />}
      {status === 'ready' && own.length === 0 && <Note sentence={MODEL_WORDS.noneOwn} />}
      {status === 'failed' && failure !== null && (
        <Note
          tone="bad"
          sentence={failure}
          action={{ label: words.retry, onPress: () => void app.models.refresh() }}
        />
      )}
    </section>
  );
}

function Own({ bundle }: { readonly bundle: LocalBundle }) {
  const { id, manifest, bytes: size, failure } = bundle;
  if (manifest && failure === null)
    return <Row name={localName(id)} whose={MODEL_WORDS.own} manifest={manifest} size={size} own={bundle} />;
  return (
    <tr>
      <th scope="row">
        {manifest?.title ?? id}
        <p className="models-wrong">{failure}</p>
      </th>
      <td colSpan={3} />
      <td>{bytes(size)}</td>
      <td className="models-actions">
        <Sure bundle={bundle} title={manifest?.title ?? id} />
      </td>
    </tr>
  );
}

interface RowProps {
  /** As a run names it. */
  readonly name: string;
  readonly whose: string;
  readonly manifest: Manifest;
  readonly size: number;
  /** The visitor's own can be saved and deleted. */
  readonly own?: LocalBundle;
}

function Row({ name, whose, manifest, size, own }: RowProps) {
  const app = useApp();
  const inUse = useFrom(app.settings.store, ({ present }) => present.bundle === name);
  const [asking, setAsking] = useState(false);
  const usable = manifest.denoiser !== undefined;
  return (
    <tr data-shown={inUse || undefined}>
      <th scope="row">
        {manifest.title}
        <p className="models-about">
          {own ? `${whose} (${own.id})` : whose}, {manifest.licence}
        </p>
      </th>
      <td>{manifest.world}</td>
      <td>{MODEL_WORDS.predicts(manifest)}</td>
      <td>{bytes(size)}</td>
      <td>{MODEL_WORDS.storedAs(manifest)}</td>
      <td className="models-actions">
        {asking && own ? (
          <Sure bundle={own} title={manifest.title} onKeep={() => setAsking(false)} />
        ) : (
          <>
            {inUse ? (
              <span className="models-inuse">{MODEL_WORDS.inUse}</span>
            ) : (
              usable && <Button label={MODEL_WORDS.use} onPress={() => void app.useModel(name)} />
            )}
            {own && (
              <>
                <Button
                  kind="quiet"
                  label={MODEL_WORDS.save}
                  onPress={() => void app.models.saveZip(own.id)}
                />
                <Button kind="quiet" label={MODEL_WORDS.remove} onPress={() => setAsking(true)} />
              </>
            )}
          </>
        )}
      </td>
    </tr>
  );
}

interface SureProps {
  readonly bundle: LocalBundle;
  readonly title: string;
  /** Left out where there is nothing worth keeping. */
  readonly onKeep?: () => void;
}

/** Asks once more: what is deleted has to be brought in again. */
function Sure({ bundle, title, onKeep }: SureProps) {
  const app = useApp();
  return (
    <span className="models-sure" role="alert">
      {MODEL_WORDS.removeSure(title, bundle.bytes)}
      <span>
        <Button label={MODEL_WORDS.removeYes} onPress={() => void app.removeModel(bundle.id)} />
        {onKeep && <Button kind="quiet" label={MODEL_WORDS.removeNo} onPress={onKeep} />}
      </span>
    </span>
  );
}
