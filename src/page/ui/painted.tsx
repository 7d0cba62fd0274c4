import { useEffect, useRef } from 'react';

interface PaintedProps {
  readonly className?: string;
  /** What the picture says, for those who do not see it. */
  readonly label?: string;
  /** Mounts a painter; what it returns stops it. Keep it the same function, or the painter is mounted anew. */
  readonly mount: (canvas: HTMLCanvasElement) => () => void;
}

/** A canvas that is painted by someone else; React only puts it there. */
export function Painted({ className, label, mount }: PaintedProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => (canvas.current ? mount(canvas.current) : undefined), [mount]);
  return (
    <canvas
      ref={canvas}
      className={className}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    />
  );
}
