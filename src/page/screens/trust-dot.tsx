import type { Light } from '../words/trust.ts';

const CIRCLE = 'M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Z';

interface Shape {
  readonly line: string;
  readonly width: number;
  readonly fill?: string;
}

/** Full, half, a cross, a point, three points, empty, an exclamation mark: read without its colour too. 12 x 12. */
const SHAPES: Readonly<Record<Light, Shape>> = {
  same: { line: CIRCLE, width: 1.5, fill: CIRCLE },
  close: { line: CIRCLE, width: 1.5, fill: 'M6 1.5a4.5 4.5 0 0 0 0 9Z' },
  off: { line: 'm2 2 8 8M10 2l-8 8', width: 2 },
  healthy: { line: `${CIRCLE}M6 6v.01`, width: 1.5 },
  testing: { line: 'M2 6h.01M6 6h.01M10 6h.01', width: 2.5 },
  unknown: { line: CIRCLE, width: 1.5 },
  failed: { line: 'M6 1.5v5M6 10v.01', width: 2 },
};

export function TrustDot({ light }: { readonly light: Light }) {
  const { line, width, fill } = SHAPES[light];
  return (
    <svg
      className={`trust-dot trust-${light}`}
      width="12"
      height="12"
      viewBox="0 0 12 12"
      aria-hidden="true"
      focusable="false"
    >
      {fill !== undefined && <path d={fill} fill="currentColor" />}
      <path d={line} fill="none" stroke="currentColor" strokeWidth={width} strokeLinecap="round" />
    </svg>
  );
}
