import { balanceSheet, POOL_ASSETS, POOL_LIABILITIES, type UnbookedGap } from '@copydesk/domain/pools';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useReadAt } from '../../../lib/live/old-readings.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { InfoTip } from '../../../ui/feedback/info-tip.tsx';
import { OldReading } from '../../../ui/feedback/old-reading.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { AlignedMoney, Money, mostDecimals } from '../../../ui/figures/money.tsx';
import { ToStatement } from '../../../ui/figures/to-statement.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type PooledAccount, poolBooksQuery } from '../pools-queries.ts';

type Asset = (typeof POOL_ASSETS)[number];
type Liability = (typeof POOL_LIABILITIES)[number];

const HELD: Record<Asset, string> = {
  proxy: 'Proxy wallet',
  transit: 'On the way to Bybit',
  exchange: 'Bybit, booked',
  shortfall: 'Shortfall',
};
const OWED: Record<Liability, string> = {
  capital: 'Virtual balances',
  returned: 'Returned, not yet valued',
  fees_due: 'Fees due',
  unexplained: 'Unexplained',
};
const UNBOOKED_TIP =
  'What is at Bybit, on its way back or returned, less the booked balance. It is booked when the pool is valued at the end of the cycle.';
/** Why there is none. */
const GAPS: Record<UnbookedGap, string> = {
  booked: 'None: the result is booked, and the pool does not trade.',
  moving: 'None: the funds are on their way to Bybit.',
  not_read: 'Unknown: Bybit has not been read in this cycle yet.',
  withdrawals_unread: 'Unknown: the key may not read withdrawals from Bybit.',
};
const PENDING_TIP = 'Final deposits at the addresses of members. The pool admits them when it opens.';

/** The balances of a pool by the books: what it has, what it owes, and that both are the same. For super admins. */
export function BooksPanel({ pool }: { pool: PooledAccount }) {
  const { data, error, refetch } = useQuery(poolBooksQuery(pool));
  useReadAt(data?.unbooked_gap === null ? data.bybit_read?.read_at : null, 'Bybit balance');
  const isFailed = error !== null;
  const sheet = data && balanceSheet(data);
  const places =
    data && sheet ? mostDecimals([...LINES.map((line) => data[line]), sheet.assets, sheet.liabilities]) : 2;
  const amount = (value: string | undefined, isTotal = false) =>
    value === undefined ? (
      <Pending isFailed={isFailed} />
    ) : (
      <AlignedMoney amount={value} places={places} isTotal={isTotal} />
    );
  const lines = <L extends Asset | Liability>(labels: Record<L, string>, list: readonly L[]) =>
    list.map((line) => [labels[line], amount(data?.[line])] as const);
  return (
    <Panel title="Books" note={data && <span>USDT</span>} actions={<ToStatement kind="pool" id={pool.id} />}>
      {error && !data && (
        <div className="pb-2">
          <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
        </div>
      )}
      <div className="@container">
        <div className="grid gap-x-8 gap-y-3 @lg:grid-cols-2 @lg:grid-rows-[repeat(6,auto)] @lg:gap-y-0">
          <Column
            title="Assets"
            label="Held by the pool"
            lines={lines(HELD, POOL_ASSETS)}
            total={['Total assets', amount(sheet?.assets, true)]}
          />
          <Column
            title="Liabilities"
            label="Owed by the pool"
            lines={lines(OWED, POOL_LIABILITIES)}
            total={['Total liabilities', amount(sheet?.liabilities, true)]}
          />
        </div>
      </div>
      {sheet && <Balance difference={sheet.difference} />}
      <Facts className="border-t border-line">
        <Fact label="Pending deposits">
          <span className="flex items-center justify-end gap-1.5">
            <InfoTip about="pending deposits" text={PENDING_TIP} />
            {data ? (
              <Money as="floored" amount={data.pending} className="tabular-nums" />
            ) : (
              <Pending isFailed={isFailed} />
            )}
          </span>
        </Fact>
        <Fact label="Unbooked result">
          <span className="flex flex-wrap items-center justify-end gap-x-1.5">
            <InfoTip
              about="the unbooked result"
              text={data?.unbooked_gap ? GAPS[data.unbooked_gap] : UNBOOKED_TIP}
            />
            {data?.unbooked_gap === null && <OldReading at={data.bybit_read?.read_at} />}
            {data ? <Unbooked result={data.unbooked_result} /> : <Pending isFailed={isFailed} />}
          </span>
        </Fact>
      </Facts>
    </Panel>
  );
}

const LINES: readonly (Asset | Liability)[] = [...POOL_ASSETS, ...POOL_LIABILITIES];

type Row = readonly [label: string, amount: ReactNode];

/** One side of the statement. Its rows are level with those of the other side. */
function Column({
  title,
  label,
  lines,
  total: [totalLabel, total],
}: {
  title: string;
  label: string;
  lines: readonly Row[];
  total: Row;
}) {
  return (
    <div className="grid min-w-0 @lg:row-span-6 @lg:grid-rows-subgrid">
      <h3 className="pb-1 text-xs font-semibold text-muted">{title}</h3>
      <Facts aria-label={label} className="contents">
        {lines.map(([name, amount]) => (
          <Fact key={name} label={name}>
            {amount}
          </Fact>
        ))}
        <Fact label={totalLabel} isTotal>
          {total}
        </Fact>
      </Facts>
    </div>
  );
}

/** The books are wrong where the totals differ: nothing else explains that. */
function Balance({ difference }: { difference: string }) {
  if (!/[1-9]/.test(difference))
    return (
      <p className="flex items-center gap-1.5 py-1.5 text-positive">
        <Check className="size-3.5" aria-hidden="true" />
        Balanced
      </p>
    );
  const isLess = difference.startsWith('-');
  return (
    <p role="alert" className="py-1.5 text-pretty text-negative">
      Not balanced: assets are <Money amount={isLess ? difference.slice(1) : difference} as="exact" />{' '}
      {isLess ? 'less' : 'more'} than liabilities.
    </p>
  );
}

function Unbooked({ result }: { result: string | null }) {
  if (result === null) return <span className="text-muted">N/A</span>;
  const isLoss = result.startsWith('-');
  const isGain = !isLoss && /[1-9]/.test(result);
  return (
    <span className={clsx('tabular-nums', isLoss && 'text-negative', isGain && 'text-positive')}>
      {isGain && '+'}
      <Money as="floored" amount={result} />
    </span>
  );
}

function Pending({ isFailed }: { isFailed: boolean }) {
  if (isFailed) return <span className="text-muted">Unknown</span>;
  return <span className="skeleton inline-block h-3 w-16 align-middle" />;
}
