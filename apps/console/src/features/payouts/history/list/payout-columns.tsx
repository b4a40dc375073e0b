import { formatDate } from '@copydesk/domain';
import { typeWords } from '../../../../lib/payout-words.ts';
import { fullTime, minuteWords } from '../../../../lib/read-time.ts';
import type { Column } from '../../../../ui/data-table/column.ts';
import { AlignedAmount } from '../../../../ui/figures/aligned-amount.tsx';
import { TxLink } from '../../../../ui/figures/tx-link.tsx';
import { type ChosenAct, PayoutMenu } from '../acts/payout-menu.tsx';
import type { Payout } from '../history-queries.ts';
import { RecipientAddress } from '../recipient-address.tsx';
import { PayoutState } from './payout-state.tsx';

export type PayoutColumnId =
  | 'created_at'
  | 'status'
  | 'type'
  | 'address'
  | 'amount'
  | 'consolidate'
  | 'distribute';
/** `all`: every column. `most`: shorter failure reasons. `few`: only the panel shows transactions. */
export type Room = 'all' | 'most' | 'few';

/**
 * The columns of the payout history, as many as fit.
 * @param places decimals that amounts leave room for
 * @param onAct present for super admins, who may act on a payout
 */
export function payoutColumns(
  explorerUrl: string,
  { room, places, onAct }: { room: Room; places: number; onAct: ((chosen: ChosenAct) => void) | null },
): readonly Column<Payout, PayoutColumnId>[] {
  const tab = (isActive: boolean) => (isActive ? 0 : -1);
  const hasTransactions = room !== 'few';
  /** The menu is at the end of the row, or beside the state where the last column is hidden. */
  const menuOf = (payout: Payout, isActive: boolean) =>
    onAct && <PayoutMenu payout={payout} tabIndex={tab(isActive)} onAct={onAct} />;
  const columns: Column<Payout, PayoutColumnId>[] = [
    {
      id: 'created_at',
      header: 'Date',
      track: hasTransactions ? '10.5rem' : '9.25rem',
      sortable: true,
      cell: ({ created_at }) => (
        <span title={fullTime(created_at)}>
          {formatDate(created_at)} <span className="text-xs text-muted">{minuteWords(created_at)}</span>
        </span>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      track: { all: '13rem', most: '9.5rem', few: '8.5rem' }[room],
      sortable: true,
      cell: (payout, isActive) => (
        <span className="flex items-center justify-between gap-1">
          <PayoutState payout={payout} />
          {!hasTransactions && menuOf(payout, isActive)}
        </span>
      ),
    },
    {
      id: 'type',
      header: 'Recipient Type',
      track: { all: 'minmax(12rem, 0.8fr)', most: 'minmax(9rem, 0.8fr)', few: 'minmax(7rem, 0.8fr)' }[room],
      cell: ({ recipient_type, community }) => (
        <span className="block truncate" title={community?.name}>
          <span className="inline-block first-letter:uppercase">{typeWords(recipient_type)}</span>
          {community && <span className="text-xs text-muted"> · {community.name}</span>}
        </span>
      ),
    },
    {
      id: 'address',
      header: 'Recipient Address',
      track: hasTransactions ? 'minmax(9rem, 1fr)' : '8rem',
      cell: ({ recipient_address }, isActive) => (
        <RecipientAddress address={recipient_address} tabIndex={tab(isActive)} />
      ),
    },
    {
      id: 'amount',
      header: 'Amount (USDT)',
      track: hasTransactions ? '9rem' : '8.25rem',
      align: 'end',
      sortable: true,
      cell: ({ total_amount }) => <AlignedAmount amount={total_amount} places={places} />,
    },
    {
      id: 'consolidate',
      header: 'Consolidate Tx',
      track: '6.5rem',
      cell: ({ consolidate_transaction_hash: hash }, isActive) => (
        <TxLink hash={hash} what="Consolidate" explorerUrl={explorerUrl} tabIndex={tab(isActive)} />
      ),
    },
    {
      id: 'distribute',
      header: 'Distribute Tx',
      track: '8rem',
      cell: (payout, isActive) => (
        <span className="flex items-center justify-between gap-1">
          <TxLink
            hash={payout.distribute_transaction_hash}
            what="Distribute"
            explorerUrl={explorerUrl}
            tabIndex={tab(isActive)}
          />
          {menuOf(payout, isActive)}
        </span>
      ),
    },
  ];
  return hasTransactions ? columns : columns.slice(0, -2);
}
