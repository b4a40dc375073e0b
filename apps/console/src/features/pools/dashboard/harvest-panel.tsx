import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { useAsOf } from '../../../lib/live/freshness.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { OldReading } from '../../../ui/feedback/old-reading.tsx';
import { Facts } from '../../../ui/figures/fact.tsx';
import { FigureCard } from '../../../ui/figures/figure-card.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { HarvestBadge } from '../harvest-badge.tsx';
import { countsWords, needsAction, progressWords } from '../harvest-texts.ts';
import { lastReadOf } from '../last-read.ts';
import { type GlobalHarvest, globalHarvestQuery, type PooledAccount } from '../pools-queries.ts';
import { reasonWords } from '../reason-texts.ts';
import { turnCountsWords } from '../turn-texts.ts';
import { GlobalActions } from './global-actions.tsx';
import { STATUS, TILE, TILES } from './harvest-tiles.ts';
import { PendingTile } from './pending-tile.tsx';

interface HarvestPanelProps {
  pools: readonly PooledAccount[];
  isAvailable: boolean;
}

/** The common status of all pools, with the sums of their balances by the books. */
export function HarvestPanel({ pools, isAvailable }: HarvestPanelProps) {
  const { data, dataUpdatedAt, error, refetch } = useQuery(globalHarvestQuery(pools));
  useAsOf(data && new Date(dataUpdatedAt).toISOString(), 'Harvest');
  const isFailed = error !== null && !data;
  const progress = data ? progressWords(data.status) : null;
  const counts = data?.status.startsWith('mixed') ? countsWords(data.counts) : null;
  const turns = turnCountsWords(pools);
  const figure = (content: ReactNode) => (isFailed ? <span className="text-muted">Unknown</span> : content);
  return (
    <Panel
      title="Global Harvest Control"
      flush
      note={
        <span className={STATUS}>
          {data ? (
            <>
              <span className="sr-only">System status:</span>
              <HarvestBadge status={data.status} />
              {needsAction(data.status) && <Badge tone="caution">Action required</Badge>}
              {counts}
              {turns && <span className="tabular-nums">{turns}</span>}
            </>
          ) : (
            !isFailed && <span className="skeleton h-5 w-24 max-sm:w-72" />
          )}
        </span>
      }
      actions={
        progress ? (
          <span role="status" className="text-muted">
            {progress}
          </span>
        ) : (
          data && <GlobalActions harvest={data} pools={pools} />
        )
      }
    >
      {isFailed && (
        <div className="px-4 pt-2 pb-3">
          <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
        </div>
      )}
      <Facts aria-label="All active pools" className={clsx(TILES, isFailed && 'border-t border-line')}>
        <FigureCard label="Active Pools" className={TILE}>
          {figure(data && formatCount(data.active_pools))}
        </FigureCard>
        <FigureCard label="Total Traders" className={TILE} note="With a balance or deposit">
          {figure(data && formatCount(data.total_traders))}
        </FigureCard>
        <FigureCard label="Total Proxy Balance" className={TILE} note="In the proxy wallets">
          {figure(data && <Money as="floored" amount={data.total_proxy_balance} />)}
        </FigureCard>
        <FigureCard label="Total Bybit Balance" className={TILE} note={<BybitRead pools={pools} />}>
          {figure(data && <Money as="floored" amount={data.total_bybit_balance} />)}
        </FigureCard>
        <FigureCard label="Total Virtual Balance" className={TILE} note="Owed to the traders">
          {figure(data && <Money as="floored" amount={data.total_virtual_balance} />)}
        </FigureCard>
        <PendingTile pools={pools} isAvailable={isAvailable} className={TILE} />
      </Facts>
      {data && <RunLine run={data.last_run} />}
    </Panel>
  );
}

/** The last reads of Bybit, beside the booked balance: while pools trade, the difference is not booked yet. */
function BybitRead({ pools }: { pools: readonly PooledAccount[] }) {
  const { balance, oldestAt, missing } = lastReadOf(pools);
  if (balance === null || oldestAt === null)
    return missing === pools.length ? 'Not read yet' : `${missing} of ${pools.length} pools not read yet`;
  return (
    <span className="flex flex-wrap gap-x-1">
      <span>
        Read: <Money as="floored" amount={balance} />
      </span>
      <OldReading at={oldestAt} />
    </span>
  );
}

const GOALS = { start: 'Global start', stop: 'Global stop' } as const;

/** How far the latest run over all pools has come. A run that is done without failures needs no line. */
function RunLine({ run }: { run: GlobalHarvest['last_run'] }) {
  if (!run || run.state === 'done') return null;
  const { moving, awaiting, done, failed } = run.counts;
  const parts = [
    moving > 0 && `${moving} on the way`,
    awaiting > 0 && `${awaiting} waiting for their owners`,
    done > 0 && `${done} done`,
    failed > 0 && `${failed} failed`,
  ].filter(Boolean);
  return (
    <div className="border-t border-line px-4 py-2 text-xs text-muted tabular-nums">
      <p>
        {GOALS[run.goal]} by {run.requested_by}, <When at={run.at} />: {parts.join(', ')}
      </p>
      {run.failed.map(({ pool_id, community, reason }) => (
        <p key={pool_id}>
          <Link to="/pools/$poolId" params={{ poolId: pool_id }} className="rounded text-accent underline">
            {community}
          </Link>
          {reason ? `: ${reasonWords(reason)}` : ' went back to trading.'}
        </p>
      ))}
    </div>
  );
}
