import { formatWholeUsd } from '@copydesk/domain';
import type { LiveStatus } from '../../lib/live-status.ts';
import { clockTime } from '../../lib/read-time.ts';
import { LiveIndicator } from '../../ui/feedback/live-indicator.tsx';
import type { TradersPage } from './traders-queries.ts';

interface TradersHeaderProps {
  meta: TradersPage['meta'] | null;
  live: LiveStatus;
  isFailed: boolean;
}

export function TradersHeader({ meta, live, isFailed }: TradersHeaderProps) {
  return (
    <div className="flex items-end justify-between gap-4">
      <div className="min-w-0">
        <h1 tabIndex={-1} className="text-lg font-semibold tracking-tight">
          Traders
        </h1>
        <p className="flex h-5 items-center gap-2 text-xs text-muted">
          <LiveIndicator status={live} />
          {meta && <span className="truncate tabular-nums">Totals as of {clockTime(meta.totals_at)}</span>}
        </p>
      </div>
      <dl className="text-right">
        <dt className="text-xs text-muted">Total AUM</dt>
        <dd className="flex h-7 items-center justify-end text-xl font-semibold tracking-tight tabular-nums">
          {meta || isFailed ? formatWholeUsd(meta?.total_aum) : <span className="skeleton h-5 w-36" />}
        </dd>
      </dl>
    </div>
  );
}
