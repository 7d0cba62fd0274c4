/** Icons as 16 x 16 line drawings, drawn here; they say nothing on their own, so buttons carry a label. */
const DRAWINGS = {
  play: 'M5 3.2v9.6L12.8 8Z',
  pause: 'M5 3.5v9M11 3.5v9',
  stepBack: 'M10.5 3.5 6 8l4.5 4.5',
  stepForward: 'M5.5 3.5 10 8l-4.5 4.5',
  first: 'M11.5 3.5 7 8l4.5 4.5M4 3.5v9',
  last: 'M4.5 3.5 9 8l-4.5 4.5M12 3.5v9',
  loop: 'M3 8V6.5a2 2 0 0 1 2-2h7.5M10.5 2l2.3 2.5-2.3 2.5M13 8v1.5a2 2 0 0 1-2 2H3.5M5.5 14l-2.3-2.5L5.5 9',
  dice: 'M3 3h10v10H3ZM6 6v.01M10 10v.01M10 6v.01M6 10v.01',
  link: 'M6.5 9.5 9.5 6.5M7 4.5l1.4-1.4a2.6 2.6 0 0 1 3.7 0l.8.8a2.6 2.6 0 0 1 0 3.7L11.5 9M9 11.5l-1.4 1.4a2.6 2.6 0 0 1-3.7 0l-.8-.8a2.6 2.6 0 0 1 0-3.7L4.5 7',
  light:
    'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  dark: 'M13 9.6A5.4 5.4 0 0 1 6.4 3a5.4 5.4 0 1 0 6.6 6.6Z',
  auto: 'M8 2.5a5.5 5.5 0 1 0 0 11ZM8 2.5a5.5 5.5 0 0 1 0 11',
  plus: 'M8 3.5v9M3.5 8h9',
  close: 'm4 4 8 8M12 4l-8 8',
  check: 'm3.5 8.5 3 3 6-7',
  undo: 'M6 3.5 3 6.5l3 3M3.5 6.5H10a3 3 0 0 1 0 6H7',
  redo: 'm10 3.5 3 3-3 3M12.5 6.5H6a3 3 0 0 0 0 6h3',
  table: 'M2.5 3.5h11v9h-11ZM2.5 6.5h11M2.5 9.5h11M7 3.5v9',
  copy: 'M5.5 5.5h8v8h-8ZM3.5 10.5h-1v-8h8v1',
  settings:
    'M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6M10.2 3.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6ZM5.8 9.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6Z',
  film: 'M2.5 3.5h11v9h-11ZM5.5 3.5v9M10.5 3.5v9',
  help: 'M5.8 6a2.2 2.2 0 1 1 3.4 1.9c-.8.5-1.2.9-1.2 1.8M8 12v.01',
  info: 'M8 7.2v4M8 4.8v.01M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z',
} as const;

export type IconName = keyof typeof DRAWINGS;

const FILLED: ReadonlySet<IconName> = new Set(['play']);

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={DRAWINGS[name]}
        fill={FILLED.has(name) ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
