import { EXCHANGE_PROBLEMS } from '@copydesk/domain/trading';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { formatCount } from '../../lib/format/numbers.ts';
import { fullTime } from '../../lib/format/read-time.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { OldReading } from '../../ui/feedback/old-reading.tsx';
import { Count } from '../../ui/figures/linked.tsx';
import { Money } from '../../ui/figures/money.tsx';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import { HarvestBadge } from './harvest-badge.tsx';
import { cycleWords, needsAction } from './harvest-texts.ts';
import type { PooledAccount } from './pools-queries.ts';
import { TradedOnNotice } from './traded-on-notice.tsx';
import { isForPeople, turnOfPool, turnWords } from './turn-texts.ts';

function Balance({ label, amount }: { label: string; amount: string | null }) {
  return (
    <span className="flex min-w-0 flex-col items-end">
      <span className="text-xs text-muted">{label}</span>
      {amount === null ? <span className="text-muted">N/A</span> : <Money as="floored" amount={amount} />}
    </span>
  );
}

/** The columns of the Pooled Trading Accounts (super-admin spec, section 2). */
export const poolColumns: readonly PlainColumn<PooledAccount>[] = [
  {
    id: 'community',
    header: 'Community',
    width: '24%',
    isPinned: true,
    onCard: 'lead',
    cell: ({ id, community, current_harvest_cycle: { cycle_number } }) => (
      <span className="flex min-w-0 flex-col gap-0.5 md:py-1.5">
        <span className="flex min-w-0 items-center gap-2">
          <Link
            to="/pools/$poolId"
            params={{ poolId: id }}
            state={{ fromDashboard: true }}
            className="truncate rounded font-medium hover:text-accent hover:underline"
          >
            {community.name}
          </Link>
          {community.is_archived && <Badge tone="neutral">Archived</Badge>}
        </span>
        <span className="text-xs leading-5 font-normal text-muted tabular-nums">
          Cycle {formatCount(cycle_number)}
        </span>
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Harvest Status',
    width: '34%',
    onCard: 'line',
    cell: (pool) => <HarvestState pool={pool} />,
  },
  {
    id: 'balances',
    header: 'Balances',
    width: '33%',
    align: 'end',
    onCard: 'line',
    cell: ({ total_virtual_balance, proxy_balance, bybit_balance, bybit_read, bybit_problem }) => {
      // Staff see their part of the virtual balances only.
      if (proxy_balance === null) return <Balance label="Virtual" amount={total_virtual_balance} />;
      return (
        <span className="flex flex-col items-end gap-0.5 md:py-1.5">
          <span className="grid grid-cols-3 gap-4 md:w-full md:max-w-88">
            <Balance label="Virtual" amount={total_virtual_balance} />
            <Balance label="Proxy" amount={proxy_balance} />
            <Balance label="Bybit" amount={bybit_balance} />
          </span>
          <span className="flex flex-wrap justify-end gap-x-1 text-xs text-muted">
            {bybit_read && (
              <span title={`Read ${fullTime(bybit_read.read_at)}`}>
                Bybit read: <Money as="floored" amount={bybit_read.balance} />
              </span>
            )}
            {!bybit_read && 'Bybit'} <OldReading at={bybit_read?.read_at} />
          </span>
          {bybit_problem && (
            <span className="text-end text-xs text-pretty whitespace-normal text-caution">
              Last read failed: {EXCHANGE_PROBLEMS[bybit_problem]}
            </span>
          )}
        </span>
      );
    },
  },
  {
    id: 'traders',
    header: 'Traders',
    width: '9%',
    align: 'end',
    onCard: 'line',
    cell: ({ trader_count }) => <Count n={trader_count} plain="The page of the pool lists them" />,
  },
];

/** The status of a pool's cycle, and beneath it for whom it waits, or what happens. */
export function HarvestState({ pool }: { pool: PooledAccount }) {
  const cycle = pool.current_harvest_cycle;
  const turn = turnOfPool(pool);
  const isLoud = turn !== null && isForPeople(turn);
  return (
    <span className="flex min-w-0 flex-col items-start gap-0.5 md:py-1.5 max-md:items-end">
      <span className="flex flex-wrap items-center gap-1.5 max-md:justify-end">
        <HarvestBadge status={cycle.status} isForPeople={isLoud} />
        {needsAction(cycle.status) && <Badge tone="caution">Action required</Badge>}
      </span>
      {turn && turn.who !== 'system' && (
        <span
          className={clsx(
            'text-xs leading-5 text-pretty whitespace-normal tabular-nums max-md:text-end',
            isLoud ? 'font-medium text-caution' : 'text-ink',
          )}
        >
          {turnWords(turn)}
        </span>
      )}
      <span className="text-xs leading-5 text-pretty whitespace-normal text-muted max-md:text-end">
        {cycleWords(cycle)}
      </span>
      <TradedOnNotice cycle={cycle} />
    </span>
  );
}
