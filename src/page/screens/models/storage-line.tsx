import { Button } from '../../ui/button.tsx';
import { MODEL_WORDS } from '../../words/models.ts';
import { useApp, useFrom } from '../use-app.ts';

/** How much room there is, and whether what is kept is safe. */
export function StorageLine() {
  const app = useApp();
  const { storage, status } = useFrom(app.models.store, (state) => state);
  if (status !== 'ready') return null;
  return (
    <p className="models-storage">
      <span>
        {MODEL_WORDS.storage(storage)} {storage.persisted ? MODEL_WORDS.stays : MODEL_WORDS.mayGo}
      </span>
      {storage.persisted === false && (
        <Button kind="text" label={MODEL_WORDS.persist} onPress={() => void app.models.persist()} />
      )}
    </p>
  );
}
