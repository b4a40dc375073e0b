import { formatWholeUsd } from '@copydesk/domain/money';
import { type AumSums, aumWords } from '../../../lib/format/aum-texts.ts';
import { clockTime } from '../../../lib/format/read-time.ts';
import type { LiveStatus } from '../../../lib/live/live-status.ts';
import { InfoTip } from '../../../ui/feedback/info-tip.tsx';
import { LiveIndicator } from '../../../ui/feedback/live-indicator.tsx';

interface LeaderboardHeaderProps {
  /** AUM of all listed communities; null until known. */
  sums: AumSums | null;
  totalsAt: string | null;
  live: LiveStatus;
  isFailed: boolean;
  /** Staff see only the traders and accounts of their providers. */
  isPart: boolean;
}

export function LeaderboardHeader({ sums, totalsAt, live, isFailed, isPart }: LeaderboardHeaderProps) {
  return (
    <div className="flex items-end justify-between gap-4">
      <div className="min-w-0">
        <h1 tabIndex={-1} className="text-lg font-semibold tracking-tight">
          Communities
        </h1>
        {isPart && (
          <p className="text-xs text-pretty text-muted">
            Figures are your part: traders and accounts of your providers.
          </p>
        )}
        <p className="flex h-5 items-center gap-2 text-xs text-muted">
          <LiveIndicator status={live} />
          {totalsAt && <span className="truncate tabular-nums">Totals as of {clockTime(totalsAt)}</span>}
        </p>
      </div>
      <dl className="text-right">
        <dt className="flex items-center justify-end gap-0.5 text-xs text-muted">
          {isPart ? 'Total AUM, your part' : 'Total AUM'}
          {sums && <InfoTip about="the AUM" text={`Active communities. ${aumWords(sums)}`} />}
        </dt>
        <dd className="flex h-7 items-center justify-end text-xl font-semibold tracking-tight tabular-nums">
          {sums || isFailed ? formatWholeUsd(sums?.total_aum) : <span className="skeleton h-5 w-36" />}
        </dd>
      </dl>
    </div>
  );
}
