import type { UnbookedGap } from '@copydesk/domain/pools';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { messageOf } from '../../../lib/api/api-error.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { InfoTip } from '../../../ui/feedback/info-tip.tsx';
import { ReadAt } from '../../../ui/feedback/read-at.tsx';
import { Fact } from '../../../ui/figures/fact.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Floored } from '../floored.tsx';
import { type PoolBooks, type PooledAccount, poolBooksQuery } from '../pools-queries.ts';

type Line = Exclude<keyof PoolBooks, 'member_count' | 'unbooked_result' | 'unbooked_gap' | 'bybit_read'>;

/** Held by the pool. */
const HELD: readonly [Line, string][] = [
  ['proxy', 'Proxy wallet'],
  ['transit', 'On the way to Bybit'],
  ['exchange', 'Bybit, booked'],
  ['shortfall', 'Shortfall'],
];
/** Owed by the pool: together with the capital it equals the above. */
const OWED: readonly [Line, string][] = [
  ['capital', 'Virtual balances'],
  ['returned', 'Returned, not yet valued'],
  ['fees_due', 'Fees due'],
  ['unexplained', 'Unexplained'],
];
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

/** The balances of a pool by the books. For super admins. */
export function BooksPanel({ pool }: { pool: PooledAccount }) {
  const { data, error, refetch } = useQuery(poolBooksQuery(pool));
  const amount = (line: Line) =>
    data ? <Floored amount={data[line]} className="tabular-nums" /> : <Pending isFailed={error !== null} />;
  const lines = (list: readonly [Line, string][]) =>
    list.map(([line, label]) => (
      <Fact key={line} label={label}>
        {amount(line)}
      </Fact>
    ));
  return (
    <Panel title="Books" note={data && <span>USDT</span>}>
      {error && !data && (
        <div className="pb-2">
          <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
        </div>
      )}
      <div className="grid gap-x-8 sm:grid-cols-2">
        <dl aria-label="Held by the pool">{lines(HELD)}</dl>
        <dl aria-label="Owed by the pool" className="max-sm:border-t max-sm:border-line">
          {lines(OWED)}
        </dl>
      </div>
      <dl className="border-t border-line">
        <Fact label="Pending deposits">
          <span className="flex items-center justify-end gap-1.5">
            <InfoTip about="pending deposits" text={PENDING_TIP} />
            {amount('pending')}
          </span>
        </Fact>
        <Fact label="Unbooked result">
          <span className="flex flex-wrap items-center justify-end gap-x-1.5">
            <InfoTip
              about="the unbooked result"
              text={data?.unbooked_gap ? GAPS[data.unbooked_gap] : UNBOOKED_TIP}
            />
            {data?.unbooked_gap === null && <ReadAt at={data.bybit_read?.read_at} />}
            {data ? <Unbooked result={data.unbooked_result} /> : <Pending isFailed={error !== null} />}
          </span>
        </Fact>
      </dl>
    </Panel>
  );
}

function Unbooked({ result }: { result: string | null }) {
  if (result === null) return <span className="text-muted">N/A</span>;
  const isLoss = result.startsWith('-');
  const isGain = !isLoss && /[1-9]/.test(result);
  return (
    <span className={clsx('tabular-nums', isLoss && 'text-negative', isGain && 'text-positive')}>
      {isGain && '+'}
      <Floored amount={result} />
    </span>
  );
}

function Pending({ isFailed }: { isFailed: boolean }) {
  if (isFailed) return <span className="text-muted">Unknown</span>;
  return <span className="skeleton inline-block h-3 w-16 align-middle" />;
}
