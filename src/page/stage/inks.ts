/** The page's colours as canvases need them; CSS holds them (styles/tokens.css). */
import type { MatrixInks } from './paint-matrix.ts';

export function readInks(): MatrixInks {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    ground: read('--ground'),
    surface: read('--surface'),
    hatch: read('--hatch'),
    accent: read('--accent'),
    ink: read('--ink'),
    faint: read('--ink-faint'),
  };
}
