import { Link } from '@tanstack/react-router';
import { formatUsdt } from '../../../lib/payout-words.ts';
import { fullTime, readTime } from '../../../lib/read-time.ts';
import { Button } from '../../../ui/forms/button.tsx';
import type { PlainColumn } from '../../../ui/plain-table/plain-column.ts';
import { traderColumn } from '../payments/unmatched-columns.tsx';
import type { Deduction } from './differences-query.ts';

const money = (
  id: 'amount' | 'used' | 'left',
  header: string,
): PlainColumn<Pick<Deduction, 'amount' | 'used' | 'left'>> => ({
  id,
  header: `${header} (USDT)`,
  width: '12%',
  align: 'end',
  cell: (row) => <span className="tabular-nums">{formatUsdt(row[id])}</span>,
});

export const deductionColumns = (onEnd: (row: Deduction) => void): readonly PlainColumn<Deduction>[] => [
  {
    id: 'decided',
    header: 'Decided',
    width: '18%',
    cell: ({ decided_at, decided_by }) => (
      <span className="block truncate" title={`${decided_by}, ${fullTime(decided_at)}`}>
        <time dateTime={decided_at} className="tabular-nums">
          {readTime(decided_at)}
        </time>{' '}
        by {decided_by}
      </span>
    ),
  },
  traderColumn('18%'),
  {
    id: 'of',
    header: 'For',
    width: '16%',
    cell: ({ provider_name, symbol, invoice_id }) => (
      <span className="block truncate" title={`${provider_name}, ${symbol}`}>
        {provider_name},{' '}
        <Link to="/invoices" search={{ invoice: invoice_id }} className="rounded text-accent hover:underline">
          {symbol}
        </Link>
      </span>
    ),
  },
  money('amount', 'Amount'),
  money('used', 'Used'),
  money('left', 'Left'),
  {
    id: 'act',
    header: 'Act',
    width: '12%',
    align: 'end',
    onCard: 'end',
    cell: (row) => (
      <Button className="h-7! px-2.5! text-xs!" onClick={() => onEnd(row)}>
        End
      </Button>
    ),
  },
];
