import { useEffect, useRef } from 'react';

interface LiveTextProps {
  readonly className?: string;
  /** Anything with `subscribe`; the text is read again after each change. */
  readonly sources: readonly { subscribe(listener: () => void): () => void }[];
  readonly read: () => string;
}

/** Text that changes too often for React: written into the page directly. Keep `sources` and `read` the same. */
export function LiveText({ className, sources, read }: LiveTextProps) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const write = () => {
      const text = read();
      if (element.current && element.current.textContent !== text) element.current.textContent = text;
    };
    write();
    const stops = sources.map((source) => source.subscribe(write));
    return () => stops.forEach((stop) => stop());
  }, [sources, read]);
  return <span ref={element} className={className} />;
}
