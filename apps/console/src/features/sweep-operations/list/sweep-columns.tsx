import { formatDate } from '@copydesk/domain';
import { formatUsdt, typeWords } from '../../../lib/payout-words.ts';
import { fullTime } from '../../../lib/read-time.ts';
import type { Column } from '../../../ui/data-table/column.ts';
import { PayoutStatus } from '../../../ui/payout-status.tsx';
import { TxLink } from '../../../ui/tx-link.tsx';
import { RecipientAddress } from '../recipient-address.tsx';
import type { SweepOperation } from '../sweeps-queries.ts';

export type SweepColumnId =
  | 'created_at'
  | 'status'
  | 'type'
  | 'address'
  | 'amount'
  | 'consolidate'
  | 'distribute';
/** `all`: every column, addresses in full. `most`: addresses are shortened. `few`: transactions are left to the panel. */
export type Room = 'all' | 'most' | 'few';

/** The columns of the payout history, as many as there is room for. */
export function sweepColumns(
  explorerUrl: string,
  room: Room,
): readonly Column<SweepOperation, SweepColumnId>[] {
  const tab = (isActive: boolean) => (isActive ? 0 : -1);
  const columns: Column<SweepOperation, SweepColumnId>[] = [
    {
      id: 'created_at',
      header: 'Date',
      track: '6.5rem',
      sortable: true,
      cell: ({ created_at }) => <span title={fullTime(created_at)}>{formatDate(created_at)}</span>,
    },
    {
      id: 'status',
      header: 'Status',
      track: '7.5rem',
      sortable: true,
      cell: ({ status }) => <PayoutStatus status={status} />,
    },
    {
      id: 'type',
      header: 'Recipient Type',
      track: '8.5rem',
      cell: ({ recipient_type }) => (
        <span className="inline-block first-letter:uppercase">{typeWords(recipient_type)}</span>
      ),
    },
    {
      id: 'address',
      header: 'Recipient Address',
      track: 'minmax(9rem, 1fr)',
      cell: ({ recipient_address }, isActive) => (
        <RecipientAddress address={recipient_address} isFull={room === 'all'} tabIndex={tab(isActive)} />
      ),
    },
    {
      id: 'amount',
      header: 'Amount (USDT)',
      track: '7.5rem',
      align: 'end',
      sortable: true,
      cell: ({ total_amount }) => <span title={`${total_amount} USDT`}>{formatUsdt(total_amount)}</span>,
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
      track: '6.5rem',
      cell: ({ distribute_transaction_hash: hash }, isActive) => (
        <TxLink hash={hash} what="Distribute" explorerUrl={explorerUrl} tabIndex={tab(isActive)} />
      ),
    },
  ];
  return room === 'few' ? columns.slice(0, -2) : columns;
}
