import type { Trader } from '@copydesk/contract/traders';
import { displayName } from '../../../lib/format/trader-name.ts';
import type { LiveStatus } from '../../../lib/live/live-status.ts';
import { LiveIndicator } from '../../../ui/feedback/live-indicator.tsx';
import { StatusBadge } from '../status-badge.tsx';

export function TraderHeader({ trader, live }: { trader: Trader; live: LiveStatus }) {
  return (
    <header className="mt-1 mb-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight break-all">
          {displayName(trader)}
        </h1>
        <StatusBadge status={trader.status} />
        <span className="ml-auto text-xs text-muted">
          <LiveIndicator status={live} />
        </span>
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
    </header>
  );
}
