import { formatCount } from '../../../lib/format/numbers.ts';
import { State } from '../../../ui/feedback/state.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { TxLink } from '../../../ui/figures/tx-link.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { dateColumn } from '../date-column.tsx';
import type { PoolTransaction } from '../pools-queries.ts';
import { MemberLink } from './member-columns.tsx';
import { KIND_WORDS, refusalWords, STATUS_LOOKS } from './pool-texts.ts';

/** A withdrawal of everything has no amount until the pool opens. */
function Amount({ kind, amount }: PoolTransaction) {
  if (amount === null)
    return <span className="text-muted">{kind === 'withdrawal' ? 'Everything' : 'N/A'}</span>;
  return <Money amount={amount} as="bare" />;
}

export function transactionColumns(explorerUrl: string): readonly PlainColumn<PoolTransaction>[] {
  return [
    dateColumn('20%', 'line'),
    {
      id: 'kind',
      header: 'Type',
      width: '12%',
      onCard: 'lead',
      cell: ({ kind }) => KIND_WORDS[kind],
    },
    {
      id: 'trader',
      header: 'Trader',
      width: '20%',
      onCard: 'lead',
      cell: ({ trader }) => <MemberLink trader={trader} />,
    },
    {
      id: 'status',
      header: 'Status',
      width: '12%',
      onCard: 'end',
      cell: (transaction) => {
        const { tone, text } = STATUS_LOOKS[transaction.status];
        const why = transaction.status === 'refused' ? refusalWords(transaction) : null;
        return (
          <span className="flex flex-col items-start gap-0.5 max-md:items-end">
            <State tone={tone}>{text}</State>
            {why && <span className="text-xs text-pretty whitespace-normal text-muted">{why}</span>}
          </span>
        );
      },
    },
    {
      id: 'amount',
      header: 'Amount (USDT)',
      width: '16%',
      align: 'end',
      onCard: 'line',
      cell: (transaction) => <Amount {...transaction} />,
    },
    {
      id: 'cycle',
      header: 'Cycle',
      width: '8%',
      align: 'end',
      cell: ({ cycle_number }) =>
        cycle_number === null ? <span className="text-muted">–</span> : formatCount(cycle_number),
    },
    {
      id: 'transaction',
      header: 'Transaction',
      width: '12%',
      align: 'end',
      cell: ({ transaction_hash, kind }) => (
        <TxLink hash={transaction_hash} what={KIND_WORDS[kind]} explorerUrl={explorerUrl} />
      ),
    },
  ];
}
