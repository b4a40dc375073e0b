import { formatCount, formatWholeUsd } from '@copydesk/domain/money';
import type { ReactNode } from 'react';
import { aumWords } from '../../../lib/format/aum-texts.ts';
import { clockTime, fullTime } from '../../../lib/format/read-time.ts';
import { relativeTime } from '../../../lib/format/relative-time.ts';
import type { LiveStatus } from '../../../lib/live/live-status.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { InfoTip } from '../../../ui/feedback/info-tip.tsx';
import { LiveIndicator } from '../../../ui/feedback/live-indicator.tsx';
import type { CommunityWithSettings } from '../communities-queries.ts';

function Figure({ label, tip, children }: { label: string; tip?: ReactNode; children: ReactNode }) {
  return (
    <div className="sm:text-right">
      <dt className="flex h-5 items-center gap-0.5 text-xs text-muted sm:justify-end">
        {label}
        {tip}
      </dt>
      <dd className="h-7 text-xl leading-7 font-semibold tracking-tight tabular-nums">{children}</dd>
    </div>
  );
}

export function CommunityHeader({ community, live }: { community: CommunityWithSettings; live: LiveStatus }) {
  return (
    <header className="mt-1 mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight">
            {community.name}
          </h1>
          {community.is_archived && <Badge tone="neutral">Archived</Badge>}
        </div>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-xs text-muted">
          <time dateTime={community.created_at} title={fullTime(community.created_at)}>
            Created {relativeTime(community.created_at)}
          </time>
          <LiveIndicator status={live} />
          <span className="tabular-nums">Totals as of {clockTime(community.totals_at)}</span>
        </p>
      </div>
      <dl className="flex gap-8">
        <Figure label="Traders">{formatCount(community.trader_count)}</Figure>
        <Figure label="AUM" tip={<InfoTip about="the AUM" text={aumWords(community)} />}>
          {formatWholeUsd(community.total_aum)}
        </Figure>
      </dl>
    </header>
  );
}
