import { typeWords } from '../../../../lib/format/payout-texts.ts';
import { Name } from '../../../../ui/figures/linked.tsx';
import { AlignedMoney } from '../../../../ui/figures/money.tsx';
import { TxLink } from '../../../../ui/figures/tx-link.tsx';
import { When } from '../../../../ui/figures/when.tsx';
import type { Column } from '../../../../ui/table/data-table/column.ts';
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
/** How wide the columns are. With little room the table scrolls: no column vanishes. */
export type Room = 'much' | 'some' | 'little';

/**
 * The columns of the payout history.
 * @param places decimals that amounts leave room for
 * @param onAct present for super admins, who may act on a payout
 */
export function payoutColumns(
  explorerUrl: string,
  { room, places, onAct }: { room: Room; places: number; onAct: ((chosen: ChosenAct) => void) | null },
): readonly Column<Payout, PayoutColumnId>[] {
  const tab = (isActive: boolean) => (isActive ? 0 : -1);
  const isTight = room === 'little';
  return [
    {
      id: 'created_at',
      header: 'Date',
      track: isTight ? '9.25rem' : '10.5rem',
      sortable: true,
      cell: ({ created_at }) => <When at={created_at} as="date" />,
    },
    {
      id: 'status',
      header: 'Status',
      track: { much: '13rem', some: '9.5rem', little: '8.5rem' }[room],
      sortable: true,
      cell: (payout) => <PayoutState payout={payout} />,
    },
    {
      id: 'type',
      header: 'Recipient Type',
      track: { much: 'minmax(12rem, 0.8fr)', some: 'minmax(9rem, 0.8fr)', little: 'minmax(7rem, 0.8fr)' }[
        room
      ],
      cell: ({ recipient_type, community }) => (
        <span className="block truncate" title={community?.name}>
          <span className="inline-block first-letter:uppercase">{typeWords(recipient_type)}</span>
          {community && (
            <span className="text-xs text-muted">
              {' '}
              · <Name plain="The row opens the payout, which links it">{community.name}</Name>
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'address',
      header: 'Recipient Address',
      track: isTight ? '8rem' : 'minmax(9rem, 1fr)',
      cell: ({ recipient_address }, isActive) => (
        <RecipientAddress address={recipient_address} tabIndex={tab(isActive)} />
      ),
    },
    {
      id: 'amount',
      header: 'Amount (USDT)',
      track: isTight ? '8.25rem' : '9rem',
      align: 'end',
      sortable: true,
      cell: ({ total_amount }) => <AlignedMoney amount={total_amount} places={places} />,
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
          {onAct && <PayoutMenu payout={payout} tabIndex={tab(isActive)} onAct={onAct} />}
        </span>
      ),
    },
  ];
}
