import { NOISE_SCHEDULES, PREDICTIONS } from '../../../../models/nanowm/hydra.ts';
import { WORLDS } from '../../../../models/bundle/questions.ts';
import type { Question } from '../../../../models/bundle/questions.ts';
import { STORAGES } from '../../../../models/onnx/storage.ts';
import { codecsFor } from '../../stores/models.ts';
import type { Given } from '../../stores/models.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CONVERT_WORDS } from '../../words/convert.ts';
import { words } from '../../words.ts';
import { useApp, useFrom } from '../use-app.ts';

/** What was understood of a checkpoint, what has to be said, and what is to be made of it. */
export function ConvertForm({ given }: { readonly given: Given }) {
  const app = useApp();
  const { looked, title, licence, storage, questions } = given;
  const { settle, drop } = app.models;
  return (
    <form
      className="convert"
      onSubmit={(event) => {
        event.preventDefault();
        void app.convertModel();
      }}
    >
      <p>{CONVERT_WORDS.found(looked)}</p>
      {looked.notes.length > 0 && (
        <ul className="convert-notes">
          {looked.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <label className="convert-field">
        <span>{CONVERT_WORDS.title}</span>
        <input
          className="text"
          value={title}
          required
          pattern=".*\S.*"
          title={CONVERT_WORDS.titleHint}
          maxLength={100}
          onChange={(event) => settle({ title: event.target.value })}
        />
      </label>
      <label className="convert-field">
        <span>{CONVERT_WORDS.licence}</span>
        <input
          className="text"
          value={licence}
          maxLength={100}
          placeholder={CONVERT_WORDS.licenceOpen}
          onChange={(event) => settle({ licence: event.target.value })}
        />
      </label>
      {questions.map((question) => (
        <Asked key={question.field} question={question} given={given} />
      ))}
      <CodecField given={given} />
      <div className="convert-field" title={CONVERT_WORDS.storageHint}>
        <span>{CONVERT_WORDS.storage}</span>
        <Choice
          label={CONVERT_WORDS.storage}
          value={storage}
          options={STORAGES.map((value) => ({
            value,
            label: CONVERT_WORDS.storages(value, looked.parameters),
          }))}
          onChange={(value) => settle({ storage: value })}
        />
      </div>
      <div className="models-choose">
        <button type="submit" className="button button-primary">
          {CONVERT_WORDS.convert}
        </button>
        <Button label={words.cancel} onPress={drop} />
      </div>
    </form>
  );
}

/** A thing that neither weights nor config tell: its default stands there until it is changed. */
function Asked({ question, given }: { readonly question: Question; readonly given: Given }) {
  const app = useApp();
  const { field, why } = question;
  const value = given.answers[field] ?? question.default;
  const choices = CHOICES[field];
  return (
    <label className="convert-field" title={why}>
      <span>{CONVERT_WORDS.fields[field]}</span>
      {choices ? (
        <select
          className="select"
          value={String(value)}
          onChange={(event) => {
            const { value: text } = event.target;
            void app.models.answer(field, typeof question.default === 'boolean' ? text === 'true' : text);
          }}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {CONVERT_WORDS.choices[choice] ?? choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          className="number"
          type="number"
          min={1}
          max={field === 'context' ? (given.looked.architecture?.frames ?? 2) - 1 : undefined}
          required
          defaultValue={Number(value)}
          // What was refused does not stay in the field.
          onBlur={(event) => (event.target.value = String(value))}
          onChange={(event) => {
            if (event.target.validity.valid && event.target.value !== '')
              void app.models.answer(field, event.target.valueAsNumber);
          }}
        />
      )}
      <small>{why}</small>
    </label>
  );
}

const CHOICES: Readonly<Partial<Record<Question['field'], readonly string[]>>> = {
  // Asked only where these two cannot be told apart.
  injection: ['additive', 'adaln_fuse'],
  causal: ['true', 'false'],
  prediction: PREDICTIONS,
  noiseSchedule: NOISE_SCHEDULES,
  zeroTerminalSnr: ['true', 'false'],
  world: WORLDS,
};

/** Where frames are decoded: by the autoencoder that was given, by another bundle's, or not at all. */
function CodecField({ given }: { readonly given: Given }) {
  const app = useApp();
  const { looked, codec } = given;
  const served = useFrom(app.models.store, (state) => state.served);
  const own = useFrom(app.models.store, (state) => state.own);
  if (looked.architecture === null || !looked.pictures) return null;
  if (looked.autoencoder)
    return (
      <p className="convert-field">
        <span>{CONVERT_WORDS.codec}</span>
        {CONVERT_WORDS.codecGiven}
      </p>
    );
  const codecs = codecsFor(looked, { served, own });
  return (
    <label className="convert-field">
      <span>{CONVERT_WORDS.codec}</span>
      <select
        className="select"
        value={codec ?? ''}
        onChange={(event) =>
          app.models.settle({ codec: event.target.value === '' ? null : event.target.value })
        }
      >
        {codecs.map(({ name, title }) => (
          <option key={name} value={name}>
            {CONVERT_WORDS.codecOf(title)}
          </option>
        ))}
        <option value="">{CONVERT_WORDS.codecNone}</option>
      </select>
      <small>{codec === null ? CONVERT_WORDS.codecMissing : CONVERT_WORDS.codecWarning}</small>
    </label>
  );
}
