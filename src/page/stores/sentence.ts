/** An error as the page shows it: its sentence, and what lies behind it for those who unfold it. */
export interface Failure {
  readonly sentence: string;
  readonly details: string;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof Error) {
    const message = error.message === '' ? error.name : error.message;
    return { sentence: sentence(message), details: error.stack ?? `${error.name}: ${message}` };
  }
  return { sentence: sentence(String(error)), details: String(error) };
}

/** Errors of ours that were asked for: front ends stay silent on them. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'aborted' || error.name === 'AbortError');
}

/** A capital at the start, a full stop at the end. */
export function sentence(text: string): string {
  const line = text.trim().split('\n')[0]!;
  const capital = line.charAt(0).toUpperCase() + line.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
