/** What commands print: results on standard output, progress on standard error. */

/** Tables for people: columns aligned, numbers to the right. */
export function table(header: readonly string[], raw: readonly (readonly string[])[]): string {
  // Names from a file must not break the line, or steer the terminal.
  const rows = raw.map((cells) => cells.map((cell) => cell.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')));
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** A number with `digits` decimals; `-` where there is none. */
export function fixed(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits);
}

/** Bytes in the unit that people read. */
export function bytes(count: number): string {
  if (count < 1024) return `${String(count)} B`;
  if (count < 1024 ** 2) return `${(count / 1024).toFixed(1)} kB`;
  return `${(count / 1024 ** 2).toFixed(1)} MB`;
}

/** Rewrites one line on a terminal; on a pipe it stays silent, so that logs hold results only. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
