import { useEffect, useRef, useState } from 'react';
import { format, measuredFrames } from '../chart/series.ts';
import type { Series } from '../chart/series.ts';
import type { Drawn } from '../chart/draw.ts';
import { mean } from '../stores/runs.ts';
import type { Measure } from '../stores/view.ts';
import { words } from '../words.ts';
import { useApp } from './use-app.ts';

interface ChartProps {
  readonly series: readonly Series[];
  readonly measure: Measure;
  readonly onFailed: () => void;
}

/** The chart; its library is fetched now. A click takes the frame cursor along. */
export function Chart({ series, measure, onFailed }: ChartProps) {
  const app = useApp();
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const size = useSize(box);

  useEffect(() => {
    if (size.width === 0) return;
    let current = true;
    const draw = async () => {
      const { drawMeasures } = await import('../chart/draw.ts');
      if (!current || !box.current) return;
      drawn.current = drawMeasures(series, measure, size);
      drawn.current.markFrame(app.cursor.store.getState().frame);
      box.current.replaceChildren(drawn.current.element);
    };
    draw().catch(onFailed);
    return () => {
      current = false;
    };
    // `onFailed` is a fresh function each time and says the same.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [series, measure, size, app]);

  useEffect(() => app.cursor.store.subscribe(({ frame }) => drawn.current?.markFrame(frame)), [app]);

  return (
    <div
      ref={box}
      className="chart"
      role="img"
      aria-label={summary(series, measure)}
      onClick={(event) => {
        const left = box.current?.getBoundingClientRect().left ?? 0;
        if (drawn.current) app.cursor.go(drawn.current.frameAt(event.clientX - left));
      }}
    />
  );
}

function summary(series: readonly Series[], measure: Measure): string {
  const frames = measuredFrames(series);
  const lines = series.map(({ name, values }) => `${name}: ${format(mean(values), measure)}`);
  return `${words.measures[measure]}, ${words.mean.toLowerCase()} of ${frames.length}: ${lines.join('; ')}`;
}

function useSize(box: React.RefObject<HTMLDivElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => {
      const width = Math.round(entry!.contentRect.width);
      const height = Math.round(entry!.contentRect.height);
      setSize((old) => (old.width === width && old.height === height ? old : { width, height }));
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return size;
}
