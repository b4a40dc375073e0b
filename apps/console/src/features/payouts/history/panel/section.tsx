import { type ReactNode, useId } from 'react';

/** A titled part of the side panel. */
export function Section({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-line px-4 pb-3">
      <div className="flex min-h-9 items-center justify-between gap-3 pt-2">
        <h3 id={id} className="text-xs font-semibold text-muted">
          {title}
        </h3>
        {note && <span className="text-xs text-muted tabular-nums">{note}</span>}
      </div>
      {children}
    </section>
  );
}
