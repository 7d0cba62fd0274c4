import { Component } from 'react';
import type { ReactNode } from 'react';
import { Note } from '../ui/note.tsx';
import { failureOf } from '../stores/sentence.ts';
import type { Failure } from '../stores/sentence.ts';
import { words } from '../words.ts';

/** A fault of ours in drawing the page: said, with a way out, rather than a blank page. */
export class Boundary extends Component<
  { readonly children: ReactNode },
  { readonly failure: Failure | null }
> {
  override state = { failure: null };

  static getDerivedStateFromError(error: unknown): { failure: Failure } {
    return { failure: failureOf(error) };
  }

  override render(): ReactNode {
    const failure = this.state.failure as Failure | null;
    if (!failure) return this.props.children;
    return (
      <main className="boundary">
        <Note
          tone="bad"
          sentence={`${words.crash} ${failure.sentence}`}
          details={{ label: words.details, text: failure.details }}
          action={{ label: words.reload, onPress: () => location.reload() }}
        />
      </main>
    );
  }
}
