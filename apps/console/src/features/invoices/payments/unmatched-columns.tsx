import { Link } from '@tanstack/react-router';
import { problemWords } from '../../../lib/format/payout-problem-texts.ts';
import { listName } from '../../../lib/format/trader-name.ts';
import { Address } from '../../../ui/figures/address.tsx';
import { Name } from '../../../ui/figures/linked.tsx';
import { AlignedMoney, mostDecimals } from '../../../ui/figures/money.tsx';
import { TxLink } from '../../../ui/figures/tx-link.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import type { CreditAct } from './credit-dialog.tsx';
import type { UnmatchedPayment } from './unmatched-query.ts';

/** The trader of a row, by its reference number and name. */
export const traderColumn = (
  width: string,
): PlainColumn<{ trader: Omit<UnmatchedPayment['trader'], 'payout_address'> }> => ({
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
      {trader.reference_number && <span className="font-mono text-sm">{trader.reference_number} </span>}
      {listName(trader)}
    </Link>
  ),
});

export function unmatchedColumns(
  payments: readonly UnmatchedPayment[],
  explorerUrl: string,
  onAct: (act: CreditAct) => void,
): readonly PlainColumn<UnmatchedPayment>[] {
  const places = mostDecimals(payments.flatMap(({ amount, open_amount }) => [amount, open_amount]));
  return [
    {
      id: 'received',
      header: 'Received',
      width: '19%',
      cell: ({ received_at }) => <When at={received_at} />,
    },
    traderColumn('17%'),
    {
      id: 'community',
      header: 'Community',
      width: '11%',
      cell: ({ trader: { community } }) => (
        <span className="block max-w-20 truncate md:max-w-none" title={community.name}>
          <Name to={{ to: '/community-settings/$communityId', params: { communityId: community.id } }}>
            {community.name}
          </Name>
        </span>
      ),
    },
    {
      id: 'amount',
      header: 'Amount',
      width: '11%',
      align: 'end',
      cell: ({ amount }) => <AlignedMoney amount={amount} places={places} />,
    },
    {
      id: 'waiting',
      header: 'Waiting',
      width: '11%',
      align: 'end',
      onCard: 'end',
      cell: ({ open_amount }) => (
        <span className="font-medium">
          <AlignedMoney amount={open_amount} places={places} />
          {/* A card shows it without its header. */}
          <span className="text-xs font-normal text-muted md:hidden"> waiting</span>
        </span>
      ),
    },
    {
      id: 'transaction',
      header: 'Transaction',
      width: '12%',
      cell: ({ transaction_hash }) => (
        <TxLink hash={transaction_hash} what="Payment" explorerUrl={explorerUrl} />
      ),
    },
    {
      id: 'act',
      header: 'Act',
      width: '19%',
      align: 'end',
      onCard: 'line',
      cell: (payment) =>
        payment.returning ? (
          <SendingBack {...payment.returning} explorerUrl={explorerUrl} />
        ) : payment.is_awaiting_approval ? (
          <span className="block py-1.5 text-xs text-pretty whitespace-normal text-caution">
            Waits for another super admin
          </span>
        ) : (
          <span className="flex flex-wrap justify-end gap-1.5 py-1.5">
            {payment.trader.payout_address && (
              <Button className="h-7! px-2.5! text-xs!" onClick={() => onAct({ payment, act: 'return' })}>
                Send back
              </Button>
            )}
            <Button className="h-7! px-2.5! text-xs!" onClick={() => onAct({ payment, act: 'tip' })}>
              Make a tip
            </Button>
          </span>
        ),
    },
  ];
}

/** Credit on its way back: where it goes, its transaction, and why it does not proceed. */
function SendingBack({
  to_address,
  transaction_hash,
  problem,
  explorerUrl,
}: NonNullable<UnmatchedPayment['returning']> & { explorerUrl: string }) {
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-1.5 py-1.5 text-end text-xs whitespace-normal">
      <span className={problem ? 'text-caution' : 'text-muted'}>Sending back to</span>
      <Address address={to_address} what="Payout address" />
      {transaction_hash && <TxLink hash={transaction_hash} what="Return" explorerUrl={explorerUrl} />}
      {problem && <span className="w-full text-pretty text-caution">{problemWords(problem)}</span>}
    </span>
  );
}
