import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface NoteProps {
  /** One sentence: what, why, what now. */
  readonly sentence: string;
  readonly tone?: 'plain' | 'warn' | 'bad';
  readonly action?: { readonly label: string; readonly onPress: () => void };
  /** What a reader who wants to know more may unfold. */
  readonly details?: { readonly label: string; readonly text: string };
  readonly children?: ReactNode;
}

/** What a panel says when it has nothing else to show, or something to add. */
export function Note({ sentence, tone = 'plain', action, details, children }: NoteProps) {
  return (
    <div
      className={tone === 'plain' ? 'note' : `note note-${tone}`}
      role={tone === 'bad' ? 'alert' : undefined}
    >
      <p>{sentence}</p>
      {children}
      {details && (
        <details>
          <summary>{details.label}</summary>
          <pre>{details.text}</pre>
        </details>
      )}
      {action && <Button label={action.label} onPress={action.onPress} />}
    </div>
  );
}
