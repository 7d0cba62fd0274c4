interface ArrowProps {
  /** Each from -1 to 1; up is up. */
  readonly right: number;
  readonly up: number;
  readonly label: string;
}

/** Lengths in the drawing's own pixels: the longest arrow, and the arms of its head. */
const REACH = 6.5;
const HEAD = 3;

/** A small arrow for a force; a dot where there is hardly any. */
export function Arrow({ right, up, label }: ArrowProps) {
  const length = Math.min(1, Math.hypot(right, up));
  const angle = Math.atan2(-up, right);
  const reach = REACH * length;
  const [x, y] = [reach * Math.cos(angle), reach * Math.sin(angle)];
  const arm = (turn: number) => `${x - HEAD * Math.cos(angle + turn)} ${y - HEAD * Math.sin(angle + turn)}`;
  return (
    <svg className="arrow" width="16" height="16" viewBox="-8 -8 16 16" role="img" aria-label={label}>
      <title>{label}</title>
      {length < 0.15 ? (
        <circle r="1.5" fill="currentColor" />
      ) : (
        <path
          d={`M${-x} ${-y}L${x} ${y}M${arm(0.6)}L${x} ${y}L${arm(-0.6)}`}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.25"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}
