import type { ReactNode } from 'react';
import { clockTime } from '../../lib/format/read-time.ts';
import type { LiveStatus } from '../../lib/live/live-status.ts';
import { LiveIndicator } from '../../ui/feedback/live-indicator.tsx';

interface InvoicesHeaderProps {
  totalsAt: string | null;
  live: LiveStatus;
  /** The page's groups have changed on the server. */
  isOutdated: boolean;
  onShowNewest(): void;
  /** The time of the last invoicing run. */
  lastRun: ReactNode;
  actions: ReactNode;
}

export function InvoicesHeader(props: InvoicesHeaderProps) {
  const { totalsAt, live, isOutdated, onShowNewest, lastRun, actions } = props;
  return (
    <div className="flex items-end justify-between gap-4">
      <div className="min-w-0">
        <h1 tabIndex={-1} className="text-lg font-semibold tracking-tight">
          Invoices
        </h1>
        <p className="flex h-5 items-center gap-2 text-xs whitespace-nowrap text-muted">
          <LiveIndicator status={live} />
          {totalsAt && <span className="truncate tabular-nums">Counts as of {clockTime(totalsAt)}</span>}
          {isOutdated && (
            <button
              type="button"
              onClick={onShowNewest}
              className="rounded px-1 font-medium text-accent hover:bg-accent-soft"
            >
              The list has changed: show
            </button>
          )}
          <span className="contents max-lg:hidden">{lastRun}</span>
        </p>
      </div>
      <div className="flex shrink-0 gap-1.5">{actions}</div>
    </div>
  );
}
