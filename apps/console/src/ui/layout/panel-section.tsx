import { type ReactNode, useId } from 'react';

interface PanelSectionProps {
  title: string;
  note?: ReactNode;
  /** Content without padding. */
  flush?: boolean;
  children: ReactNode;
}

/** A titled part of the side panel. */
export function PanelSection({ title, note, flush = false, children }: PanelSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-line first:border-t-0">
      <div className="flex min-h-9 items-center justify-between gap-3 px-4 pt-2">
        <h3 id={id} className="text-xs font-semibold text-muted">
          {title}
        </h3>
        {note && <span className="text-xs text-muted tabular-nums">{note}</span>}
      </div>
      <div className={flush ? 'pb-1' : 'px-4 pb-3'}>{children}</div>
    </section>
  );
}
