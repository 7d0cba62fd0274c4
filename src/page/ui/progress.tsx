/** A line that fills; the sentence beside it says the same in words. */
export function Progress({ share, label }: { readonly share: number; readonly label: string }) {
  const part = Math.min(1, Math.max(0, share));
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
    >
      <div className="progress-done" style={{ transform: `scaleX(${part})` }} />
    </div>
  );
}
