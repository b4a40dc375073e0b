import { clsx } from 'clsx';
import { formatCount } from '../../lib/format/numbers.ts';
import type { TradersPage } from './traders-queries.ts';
import type { TraderView } from './traders-search.ts';

interface TraderViewsProps {
  meta: TradersPage['meta'] | null;
  active: TraderView;
  panelId: string;
  onChange(view: TraderView): void;
}

/** Beside the tabs: the traders outside all tabs, and all traders. */
export function TraderViews({ meta, active, panelId, onChange }: TraderViewsProps) {
  if (!meta) return null;
  const { counts } = meta;
  const all = counts.inbox + counts.connected + counts.delinquent + counts.none;
  const views = [
    { id: 'none', text: `${formatCount(counts.none)} pending without an exchange` },
    { id: 'all', text: `All ${formatCount(all)}` },
  ] as const;
  return (
    <div className="flex w-full gap-4 pb-2 sm:ms-auto sm:w-auto sm:items-center sm:pb-0">
      {views.map(({ id, text }) => (
        <button
          key={id}
          type="button"
          id={`${panelId}-${id}`}
          aria-pressed={active === id}
          onClick={() => onChange(id)}
          className={clsx(
            'min-h-6 text-sm tabular-nums transition-colors',
            active === id ? 'font-medium text-ink underline underline-offset-4' : 'text-muted hover:text-ink',
          )}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
