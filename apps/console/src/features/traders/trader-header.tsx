import { formatDate, formatWholeUsd } from '@copydesk/domain';
import { clockTime } from '../../lib/clock-time.ts';
import { StatusBadge } from './status-badge.tsx';
import { displayName } from './trader-name.ts';
import type { Trader } from './traders-queries.ts';

export function TraderHeader({ trader }: { trader: Trader }) {
  const { aum, aum_read_at: readAt } = trader;
  return (
    <header className="mt-2 mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight break-all">
            {displayName(trader)}
          </h1>
          <StatusBadge status={trader.status} />
        </div>
        <p className="mt-0.5 text-muted">
          {trader.reference_number ? (
            <>
              KAIT number <span className="font-mono text-xs text-ink">{trader.reference_number}</span>
            </>
          ) : (
            'No reference number'
          )}
        </p>
      </div>
      <dl className="sm:text-right">
        <dt className="text-xs text-muted">
          Current AUM
          {readAt && (
            <span className="tabular-nums">
              , as of {formatDate(readAt)}, {clockTime(readAt)}
            </span>
          )}
        </dt>
        <dd className="text-xl leading-7 font-semibold tracking-tight tabular-nums">
          {aum === null || aum === undefined ? 'Not calculated' : formatWholeUsd(aum)}
        </dd>
      </dl>
    </header>
  );
}
