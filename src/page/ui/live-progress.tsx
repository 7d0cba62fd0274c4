import { useEffect, useRef } from 'react';

interface LiveProgressProps {
  readonly label: string;
  readonly sources: readonly { subscribe(listener: () => void): () => void }[];
  /** 0 to 1. */
  readonly read: () => number;
}

/** A line that fills as stores change, without React. */
export function LiveProgress({ label, sources, read }: LiveProgressProps) {
  const line = useRef<HTMLDivElement>(null);
  const done = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const write = () => {
      const share = Math.min(1, Math.max(0, read()));
      line.current?.setAttribute('aria-valuenow', String(Math.round(share * 100)));
      if (done.current) done.current.style.transform = `scaleX(${share})`;
    };
    write();
    const stops = sources.map((source) => source.subscribe(write));
    return () => stops.forEach((stop) => stop());
  }, [sources, read]);
  return (
    <div
      ref={line}
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div ref={done} className="progress-done" />
    </div>
  );
}
