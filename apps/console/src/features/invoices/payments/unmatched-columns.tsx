import { Link } from '@tanstack/react-router';
import { fullTime, readTime } from '../../../lib/read-time.ts';
import { listName } from '../../../lib/trader-name.ts';
import { AlignedAmount, mostDecimals } from '../../../ui/figures/aligned-amount.tsx';
import { TxLink } from '../../../ui/figures/tx-link.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import type { PlainColumn } from '../../../ui/plain-table/plain-column.ts';
import type { UnmatchedPayment } from './unmatched-query.ts';

/** The trader of a row, by its reference number and name. */
export const traderColumn = (width: string): PlainColumn<Pick<UnmatchedPayment, 'trader'>> => ({
  id: 'trader',
  header: 'Trader',
  width,
  onCard: 'lead',
  cell: ({ trader }) => (
    <Link
      to="/trader/$traderId"
      params={{ traderId: trader.id }}
      title={listName(trader)}
      className="block truncate rounded text-accent hover:underline"
    >
      {trader.reference_number && <span className="font-mono text-xs">{trader.reference_number} </span>}
      {listName(trader)}
    </Link>
  ),
});

export function unmatchedColumns(
  payments: readonly UnmatchedPayment[],
  explorerUrl: string,
  onTip: (payment: UnmatchedPayment) => void,
): readonly PlainColumn<UnmatchedPayment>[] {
  const places = mostDecimals(payments.flatMap(({ amount, open_amount }) => [amount, open_amount]));
  return [
    {
      id: 'received',
      header: 'Received',
      width: '12%',
      cell: ({ received_at }) => (
        <time dateTime={received_at} title={fullTime(received_at)} className="tabular-nums">
          {readTime(received_at)}
        </time>
      ),
    },
    traderColumn('20%'),
    {
      id: 'community',
      header: 'Community',
      width: '14%',
      cell: ({ trader: { community } }) => (
        <span className="block max-w-20 truncate md:max-w-none" title={community.name}>
          {community.name}
        </span>
      ),
    },
    {
      id: 'amount',
      header: 'Amount',
      width: '15%',
      align: 'end',
      cell: ({ amount }) => <AlignedAmount amount={amount} places={places} />,
    },
    {
      id: 'waiting',
      header: 'Waiting',
      width: '15%',
      align: 'end',
      onCard: 'end',
      cell: ({ open_amount }) => (
        <span className="font-medium">
          <AlignedAmount amount={open_amount} places={places} />
          {/* A card shows it without its header. */}
          <span className="text-xs font-normal text-muted md:hidden"> waiting</span>
        </span>
      ),
    },
    {
      id: 'transaction',
      header: 'Transaction',
      width: '14%',
      cell: ({ transaction_hash }) => (
        <TxLink hash={transaction_hash} what="Payment" explorerUrl={explorerUrl} />
      ),
    },
    {
      id: 'act',
      header: 'Act',
      width: '10%',
      align: 'end',
      onCard: 'end',
      cell: (payment) => (
        <Button className="h-7! px-2.5! text-xs!" onClick={() => onTip(payment)}>
          Make a tip
        </Button>
      ),
    },
  ];
}
