import { Button } from '../../ui/button.tsx';
import { MODEL_WORDS } from '../../words/models.ts';
import { useApp, useFrom } from '../use-app.ts';

/** What others have published, one button each. */
export function Published() {
  const app = useApp();
  const published = useFrom(app.models.store, (state) => state.published);
  const working = useFrom(app.models.store, ({ work }) => work !== null);
  if (published.length === 0) return null;
  const heads = Object.values(MODEL_WORDS.publishedHeads);
  return (
    <section className="models-list" aria-label={MODEL_WORDS.published}>
      <h2>{MODEL_WORDS.published}</h2>
      <p className="models-hint">{MODEL_WORDS.publishedHint}</p>
      <div className="table-box">
        <table className="table models-table models-published">
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              <th>
                <span className="unseen">{MODEL_WORDS.fetch}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {published.map((model) => (
              <tr key={model.id}>
                <th scope="row">
                  {model.title}
                  <p className="models-about">
                    {model.id}, {MODEL_WORDS.licenceAtOwner}
                  </p>
                  <p className="models-about">{model.predicts}</p>
                </th>
                <td>{model.world}</td>
                <td>{model.size ?? ''}</td>
                <td>{MODEL_WORDS.megabytes(model.downloadMegabytes)}</td>
                <td>
                  {(['fp16', 'q8', 'q4'] as const)
                    .map((storage) => MODEL_WORDS.megabytes(model.megabytes[storage]))
                    .join(', ')}
                </td>
                <td className="models-actions">
                  <Button
                    label={MODEL_WORDS.fetch}
                    disabled={working}
                    onPress={() =>
                      void app.fetchModel({
                        title: model.title,
                        addresses: model.codec === undefined ? [model.id] : [model.id, model.codec],
                      })
                    }
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
