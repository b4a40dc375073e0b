import { useQuery } from '@tanstack/react-query';
import { FigureCard } from '../../../ui/figures/figure-card.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { type PooledAccount, pendingDepositsQuery } from '../pools-queries.ts';

interface PendingTileProps {
  pools: readonly PooledAccount[];
  /** Whether the pooled accounts could be read: without them their deposits are not read either. */
  isAvailable: boolean;
  className: string;
}

const poolsWords = (count: number) =>
  count === 0 ? 'No pool is waiting' : count === 1 ? 'For 1 pool' : `For ${count} pools`;

/** Final deposits on BNB Smart Chain that wait for their pools to open. */
export function PendingTile({ pools, isAvailable, className }: PendingTileProps) {
  const { data, error, refetch } = useQuery(pendingDepositsQuery(pools, isAvailable));
  const card = { label: 'Pending BSC Deposits', className };
  if (error) {
    return (
      <FigureCard
        {...card}
        note={
          <span role="alert" className="flex flex-wrap gap-x-2">
            Failed to Load
            <button
              type="button"
              onClick={() => void refetch()}
              className="rounded font-medium text-accent hover:underline"
            >
              Click to retry
            </button>
          </span>
        }
      >
        <span className="text-negative">Error</span>
      </FigureCard>
    );
  }
  if (!isAvailable) {
    return (
      <FigureCard {...card} note="Pooled accounts not available">
        N/A
      </FigureCard>
    );
  }
  return (
    <FigureCard {...card} note={data && poolsWords(data.poolsWithPending)}>
      {data && <Money as="floored" amount={data.totalPendingUSDT} />}
    </FigureCard>
  );
}
