import { State } from '../../../ui/feedback/state.tsx';
import { Address } from '../../../ui/figures/address.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { TxLink } from '../../../ui/figures/tx-link.tsx';
import { Button } from '../../../ui/form/button.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { dateColumn } from '../date-column.tsx';
import type { PoolMovement } from '../pools-queries.ts';
import { KIND_WORDS, matchOf, VENUE_LOOKS } from './movement-texts.ts';

const Target = ({ address }: { address: string }) =>
  address.startsWith('0x') ? (
    <Address address={address} what="target address" />
  ) : (
    <span className="text-xs">Bybit user {address}</span>
  );

function OnChain(movement: PoolMovement) {
  const { text, tone, note } = matchOf(movement);
  return (
    <span className="flex flex-col items-start gap-0.5 max-md:items-end md:py-1">
      <State tone={tone}>{text}</State>
      {note && <span className="text-xs text-muted">{note}</span>}
    </span>
  );
}

interface MovementColumnsOptions {
  explorerUrl: string;
  onLink(movement: PoolMovement): void;
  onUndo(movement: PoolMovement): void;
}

export function movementColumns({
  explorerUrl,
  onLink,
  onUndo,
}: MovementColumnsOptions): readonly PlainColumn<PoolMovement>[] {
  return [
    dateColumn('17%', 'lead'),
    {
      id: 'target',
      header: 'To',
      width: '15%',
      onCard: 'line',
      cell: ({ to_address }) => <Target address={to_address} />,
    },
    {
      id: 'bybit',
      header: 'At Bybit',
      width: '14%',
      onCard: 'line',
      cell: ({ kind, state, venue_status }) => (
        <span className="flex flex-wrap items-center gap-x-2 max-md:justify-end" title={venue_status}>
          {KIND_WORDS[kind]}
          <State tone={VENUE_LOOKS[state].tone}>{VENUE_LOOKS[state].text}</State>
        </span>
      ),
    },
    {
      id: 'match',
      header: 'On chain',
      width: '20%',
      onCard: 'line',
      cell: (movement) => <OnChain {...movement} />,
    },
    {
      id: 'amount',
      header: 'Amount (USDT)',
      width: '12%',
      align: 'end',
      onCard: 'end',
      cell: ({ amount, fee }) => (
        <span>
          <Money amount={amount} as="bare" />
          {fee !== null && /[1-9]/.test(fee) && (
            <span className="block text-xs text-muted">
              Fee <Money amount={fee} as="bare" />
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'transaction',
      header: 'Transaction',
      width: '11%',
      align: 'end',
      cell: ({ transaction_hash, arrival, kind }) => (
        <TxLink
          hash={transaction_hash ?? arrival?.transaction_hash ?? null}
          what={KIND_WORDS[kind]}
          explorerUrl={explorerUrl}
        />
      ),
    },
    {
      id: 'act',
      header: 'Act',
      width: '11%',
      align: 'end',
      onCard: 'line',
      cell: (movement) => {
        if (movement.match === 'suggested')
          return (
            <Button className="h-7!" onClick={() => onLink(movement)}>
              Link
            </Button>
          );
        return movement.decision?.may_undo ? (
          <Button className="h-7!" onClick={() => onUndo(movement)}>
            Undo
          </Button>
        ) : null;
      },
    },
  ];
}
