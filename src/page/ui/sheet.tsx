import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface SheetProps {
  readonly title: string;
  readonly closeLabel: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog over the page: from below on a phone, in the middle elsewhere. Esc and a press beside it close it. */
export function Sheet({ title, closeLabel, open, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);

  return (
    <dialog
      ref={dialog}
      className="sheet"
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {open && (
        <div className="sheet-body">
          <header className="sheet-head">
            <h1>{title}</h1>
            <Button kind="quiet" icon="close" iconOnly label={closeLabel} keys="Esc" onPress={onClose} />
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}
