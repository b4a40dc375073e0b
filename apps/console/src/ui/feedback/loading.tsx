/** A placeholder while content loads. The text is announced. */
export function Loading({ text = 'Loading...' }: { text?: string }) {
  return (
    <div role="status" className="flex h-full min-h-40 items-center justify-center gap-2.5 text-muted">
      <span
        aria-hidden="true"
        className="size-4 animate-spin rounded-full border-2 border-line-strong border-t-accent"
      />
      {text}
    </div>
  );
}
