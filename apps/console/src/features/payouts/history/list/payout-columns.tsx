import { shortId } from '@copydesk/domain/money';
import { typeWords } from '../../../../lib/format/payout-texts.ts';
import type { RowSelecting } from '../../../../lib/list/row-selection.ts';
import { Name } from '../../../../ui/figures/linked.tsx';
import { AlignedMoney } from '../../../../ui/figures/money.tsx';
import { TxLink } from '../../../../ui/figures/tx-link.tsx';
import { When } from '../../../../ui/figures/when.tsx';
import { selectColumn } from '../../../../ui/list/select-column.tsx';
import type { Column } from '../../../../ui/table/data-table/column.ts';
import { type ChosenAct, PayoutMenu } from '../acts/payout-menu.tsx';
import type { Payout } from '../history-queries.ts';
import { RecipientAddress } from '../recipient-address.tsx';
import { PayoutState } from './payout-state.tsx';

export type PayoutColumnId =
  | 'select'
  | 'created_at'
  | 'status'
  | 'type'
  | 'address'
  | 'amount'
  | 'consolidate'
  | 'distribute';
/** How wide the columns are. With little room the table scrolls: no column vanishes. */
export type Room = 'much' | 'little';

interface PayoutColumnsOptions {
  room: Room;
  places: number;
  onAct: ((chosen: ChosenAct) => void) | null;
  selecting: RowSelecting | null;
  all: string | null;
}

/** The name of a payout's box; null: it has not failed, so there is nothing to select it for. */
export const selectableName = ({ id, status }: Payout): string | null =>
  status === 'failed' ? `payout ${shortId(id)}` : null;

/**
 * The columns of the payout history.
 * @param places decimals that amounts leave room for
 * @param onAct present for super admins, who may act on a payout
 * @param selecting present for the same; `all` is null where the rows are searched here
 */
export function payoutColumns(
  explorerUrl: string,
  { room, places, onAct, selecting, all }: PayoutColumnsOptions,
): readonly Column<Payout, PayoutColumnId>[] {
  const tab = (isActive: boolean) => (isActive ? 0 : -1);
  const isTight = room === 'little';
  return [
    ...(selecting ? [selectColumn<Payout>(selecting, selectableName, all)] : []),
    {
      id: 'created_at',
      header: 'Date',
      track: isTight ? '9.25rem' : '10rem',
      sortable: true,
      cell: ({ created_at }) => <When at={created_at} as="date" />,
    },
    {
      id: 'status',
      header: 'Status',
      track: isTight ? '8.5rem' : '11.5rem',
      sortable: true,
      cell: (payout) => <PayoutState payout={payout} />,
    },
    {
      id: 'type',
      header: 'Recipient Type',
      track: `minmax(${isTight ? 7 : 9.5}rem, 0.8fr)`,
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
      track: '8.25rem',
      align: 'end',
      sortable: true,
      cell: ({ total_amount }) => <AlignedMoney amount={total_amount} places={places} />,
    },
    {
      id: 'consolidate',
      header: 'Consolidate Tx',
      track: '6.25rem',
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
