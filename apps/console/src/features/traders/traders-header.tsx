import { formatWholeUsd } from '@copydesk/domain/money';
import { aumWords } from '../../lib/format/aum-texts.ts';
import { clockTime } from '../../lib/format/read-time.ts';
import type { LiveStatus } from '../../lib/live/live-status.ts';
import { InfoTip } from '../../ui/feedback/info-tip.tsx';
import { LiveIndicator } from '../../ui/feedback/live-indicator.tsx';
import type { TradersPage } from './traders-queries.ts';

interface TradersHeaderProps {
  meta: TradersPage['meta'] | null;
  live: LiveStatus;
  isFailed: boolean;
  /** Staff see only the accounts of their providers. */
  isPart: boolean;
}

export function TradersHeader({ meta, live, isFailed, isPart }: TradersHeaderProps) {
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
        <dt className="flex items-center justify-end gap-0.5 text-xs text-muted">
          {isPart ? 'Total AUM, your part' : 'Total AUM'}
          {meta && <InfoTip about="the AUM" text={aumWords(meta)} />}
        </dt>
        <dd className="flex h-7 items-center justify-end text-xl font-semibold tracking-tight tabular-nums">
          {meta || isFailed ? formatWholeUsd(meta?.total_aum) : <span className="skeleton h-5 w-36" />}
        </dd>
      </dl>
    </div>
  );
}
