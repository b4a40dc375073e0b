import { type ReactNode, useId } from 'react';
import { formatCount } from '../../lib/format/numbers.ts';

interface PanelProps {
  title: string;
  /** The number of items that the panel lists. */
  count?: number | string | undefined;
  /** Beside the title: the time of the figures, or their sum. */
  note?: ReactNode;
  actions?: ReactNode;
  /** Filters below the title. */
  filters?: ReactNode;
  /** Content without padding, such as a table. */
  flush?: boolean;
  children: ReactNode;
}

/** A titled part of a screen. */
export function Panel({ title, count, note, actions, filters, flush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="min-w-0 border border-line bg-surface max-sm:-mx-4 max-sm:border-x-0 sm:rounded-lg"
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5">
        <h2 id={id} className="flex items-center gap-2 text-base font-semibold">
          {title}
          {count !== undefined && (
            <span className="rounded bg-subtle px-1.5 text-xs leading-5 font-medium text-muted tabular-nums">
              {typeof count === 'number' ? formatCount(count) : count}
            </span>
          )}
        </h2>
        {note && <div className="flex min-w-0 flex-wrap gap-x-3 text-xs text-muted tabular-nums">{note}</div>}
        {actions && (
          <div data-acts className="ms-auto flex flex-wrap items-center gap-1.5">
            {actions}
          </div>
        )}
      </div>
      {filters}
      <div className={flush ? 'overflow-hidden border-t border-line sm:rounded-b-lg' : 'px-4 pb-4'}>
        {children}
      </div>
    </section>
  );
}
