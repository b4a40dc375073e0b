import { formatCount } from '../../../lib/format/numbers.ts';
import { problemWords } from '../../../lib/format/payout-problem-texts.ts';
import { State } from '../../../ui/feedback/state.tsx';
import { Address } from '../../../ui/figures/address.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { TxLink } from '../../../ui/figures/tx-link.tsx';
import { Button } from '../../../ui/form/button.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { dateColumn } from '../date-column.tsx';
import type { PoolArrival } from '../pools-queries.ts';
import { ARRIVAL_LOOKS, decisionWords, openDecisionOf, undoableOf } from './arrival-texts.ts';

function Amount({ amount, unexplained, state }: PoolArrival) {
  const isPart = state === 'unexplained' && unexplained !== amount;
  return (
    <span>
      <Money amount={amount} as="bare" />
      {isPart && (
        <span className="block text-xs text-caution">
          <Money amount={unexplained} as="bare" /> unexplained
        </span>
      )}
    </span>
  );
}

function Status(arrival: PoolArrival) {
  const { tone, text } = ARRIVAL_LOOKS[arrival.state];
  // Decisions that came to nothing are in the audit trail.
  const shown = arrival.decisions.filter(({ state }) => state !== 'withdrawn' && state !== 'undone');
  return (
    <span className="flex flex-col items-start gap-0.5 max-md:items-end max-md:text-end md:py-1">
      <State tone={tone}>{text}</State>
      {shown.map((decision) => (
        <span key={decision.id} className="text-xs text-muted">
          {decisionWords(decision)}
          {decision.problem && <span className="block text-caution">{problemWords(decision.problem)}</span>}
        </span>
      ))}
    </span>
  );
}

interface ArrivalColumnsOptions {
  explorerUrl: string;
  onDecide(arrival: PoolArrival): void;
  onUndo(arrival: PoolArrival): void;
}

export function arrivalColumns({
  explorerUrl,
  onDecide,
  onUndo,
}: ArrivalColumnsOptions): readonly PlainColumn<PoolArrival>[] {
  return [
    dateColumn('17%', 'lead'),
    {
      id: 'from',
      header: 'Sender',
      width: '15%',
      onCard: 'line',
      cell: ({ from_address }) => <Address address={from_address} what="sender address" />,
    },
    {
      id: 'state',
      header: 'Status',
      width: '25%',
      onCard: 'line',
      cell: (arrival) => <Status {...arrival} />,
    },
    {
      id: 'amount',
      header: 'Amount (USDT)',
      width: '14%',
      align: 'end',
      onCard: 'end',
      cell: (arrival) => <Amount {...arrival} />,
    },
    {
      id: 'cycle',
      header: 'Cycle',
      width: '7%',
      align: 'end',
      cell: ({ cycle_number }) => formatCount(cycle_number),
    },
    {
      id: 'transaction',
      header: 'Transaction',
      width: '11%',
      align: 'end',
      cell: ({ transaction_hash }) => (
        <TxLink hash={transaction_hash} what="Arrival" explorerUrl={explorerUrl} />
      ),
    },
    {
      id: 'act',
      header: 'Act',
      width: '11%',
      align: 'end',
      onCard: 'line',
      cell: (arrival) => {
        if (arrival.state === 'unexplained')
          return (
            <Button className="h-7!" onClick={() => onDecide(arrival)}>
              {openDecisionOf(arrival) ? 'Review' : 'Decide'}
            </Button>
          );
        return undoableOf(arrival) ? (
          <Button className="h-7!" onClick={() => onUndo(arrival)}>
            Undo
          </Button>
        ) : null;
      },
    },
  ];
}
