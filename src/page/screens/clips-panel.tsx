import { useCallback } from 'react';
import { copyFrame } from '../stage/pixels.ts';
import type { ClipEntry } from '../stores/clips.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { Painted } from '../ui/painted.tsx';
import { words } from '../words.ts';
import { useApp, useFrom } from './use-app.ts';

export function ClipsPanel() {
  const app = useApp();
  const { status, entries, simulating, failure } = useFrom(app.clips, (clips) => clips);
  const chosen = useFrom(app.settings.store, (state) => state.present.clip);
  return (
    <section className="clips" aria-label={words.clips}>
      <div className="panel-head">
        <h2>{words.clips}</h2>
        <Button
          icon="plus"
          className="clips-new"
          label={simulating ? words.simulating : words.newEpisode}
          keys="N"
          disabled={simulating}
          onPress={() => void app.newEpisode()}
        />
      </div>
      {failure && (
        <Note
          tone="bad"
          sentence={failure}
          {...(status === 'failed'
            ? { action: { label: words.retry, onPress: () => void app.loadClips() } }
            : {})}
        />
      )}
      {status === 'loading' && entries.length === 0 && <Note sentence={words.clipsLoading} />}
      <ul className="clips-list">
        {entries.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              className="clip"
              aria-pressed={entry.id === chosen}
              title={entry.failure ?? undefined}
              onClick={() => app.chooseClip(entry.id)}
            >
              <Thumbnail entry={entry} />
              <span className="clip-title">{entry.title}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Thumbnail({ entry }: { readonly entry: ClipEntry }) {
  const { clip } = entry;
  const mount = useCallback(
    (canvas: HTMLCanvasElement) => {
      const pen = canvas.getContext('2d');
      if (!clip?.pixels || !pen) return () => undefined;
      const { data, height, width } = clip.pixels;
      canvas.width = width;
      canvas.height = height;
      const image = pen.createImageData(width, height);
      copyFrame(data, 0, width * height, image.data);
      pen.putImageData(image, 0, 0);
      return () => undefined;
    },
    [clip],
  );
  return (
    <span className="clip-picture">
      <Painted className="pixels" mount={mount} />
    </span>
  );
}
