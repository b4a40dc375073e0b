import { Link } from '@tanstack/react-router';
import { fullTime } from '../../../lib/format/read-time.ts';
import { formatUsdt } from '../../../lib/format/usdt.ts';
import { Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { traderColumn } from '../payments/unmatched-columns.tsx';
import type { Deduction } from './differences-query.ts';

export const deductionColumns = (onEnd: (row: Deduction) => void): readonly PlainColumn<Deduction>[] => [
  {
    id: 'decided',
    header: 'Decided',
    width: '33%',
    onCard: 'line',
    cell: ({ decided_at, decided_by }) => (
      <span className="block truncate">
        <When at={decided_at} title={`${decided_by}, ${fullTime(decided_at)}`} /> by {decided_by}
      </span>
    ),
  },
  traderColumn('18%'),
  {
    id: 'of',
    header: 'For',
    width: '17%',
    onCard: 'line',
    cell: ({ provider_name, symbol, invoice_id }) => (
      <span
        className="block truncate"
        title={`$<Name plain="The row has its name only">{provider_name}</Name>, ${symbol}`}
      >
        <Name plain="The row has its name only">{provider_name}</Name>,{' '}
        <Link
          to="/invoices/$invoiceId"
          params={{ invoiceId: invoice_id }}
          className="rounded text-accent underline"
        >
          {symbol}
        </Link>
      </span>
    ),
  },
  {
    id: 'left',
    header: 'Left (USDT)',
    width: '22%',
    align: 'end',
    cell: ({ left, amount, used }) => (
      <span className="tabular-nums" title={`${formatUsdt(used)} of it were deducted from later invoices.`}>
        <Money amount={left} as="bare" />{' '}
        <span className="text-muted">
          of <Money amount={amount} as="bare" />
        </span>
      </span>
    ),
  },
  {
    id: 'act',
    header: 'Act',
    width: '10%',
    align: 'end',
    onCard: 'end',
    cell: (row) => (
      <Button className="h-7! px-2.5! text-xs!" onClick={() => onEnd(row)}>
        End
      </Button>
    ),
  },
];
