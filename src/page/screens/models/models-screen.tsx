import { useEffect } from 'react';
import { MODEL_WORDS } from '../../words/models.ts';
import { useApp } from '../use-app.ts';
import { BringModel } from './bring-model.tsx';
import { ModelList } from './model-list.tsx';
import { Published } from './published.tsx';
import { StorageLine } from './storage-line.tsx';

/** Which models there are, and how others come in. */
export function ModelsScreen() {
  const app = useApp();
  useEffect(() => {
    void app.models.refresh();
  }, [app]);
  return (
    <main className="models">
      <div className="models-page">
        <h2 className="models-title">{MODEL_WORDS.title}</h2>
        <p className="models-intro">{MODEL_WORDS.intro}</p>
        <ModelList />
        <StorageLine />
        <BringModel />
        <Published />
      </div>
    </main>
  );
}
