import type { Tone } from '../../../ui/feedback/badge.tsx';
import { State } from '../../../ui/feedback/state.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { TxLink } from '../../../ui/figures/tx-link.tsx';
import { Button } from '../../../ui/form/button.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { dateColumn } from '../date-column.tsx';
import { MemberLink } from '../pool/member-columns.tsx';
import { refusalWords } from '../pool/pool-texts.ts';
import type { PoolRequest } from '../pools-queries.ts';

const STATES: Record<PoolRequest['state'], { text: string; tone: Tone }> = {
  queued: { text: 'Waiting', tone: 'neutral' },
  collecting: { text: 'Collecting', tone: 'accent' },
  admitted: { text: 'Admitted', tone: 'positive' },
  returning: { text: 'Returning', tone: 'accent' },
  returned: { text: 'Returned', tone: 'neutral' },
  reserved: { text: 'Reserved', tone: 'accent' },
  paying: { text: 'Paying', tone: 'accent' },
  paid: { text: 'Paid', tone: 'positive' },
  refused: { text: 'Refused', tone: 'negative' },
  cancelled: { text: 'Cancelled', tone: 'neutral' },
};

const WAITS = {
  no_payout_address: 'Waits for an address',
  address_held: 'Address changed recently',
  own_address: 'The payout address is one of ours',
  awaiting_approval: 'Waits for another super admin',
  waits_for_operator: 'Waits for an operator',
  above_maximum: 'Above the largest payout: cancel it, and ask for less or for everything',
  member_not_told: 'Waits until the member was told, for ten minutes at most',
  payments_stopped: 'Waits: payments are stopped',
} as const;

function waitsOf(request: PoolRequest): string | null {
  if (request.kind === 'withdrawal' && request.state === 'refused') return refusalWords(request);
  if (request.order_state === 'awaiting_approval') return WAITS.awaiting_approval;
  if (request.kind === 'withdrawal' && request.waits_because) return WAITS[request.waits_because];
  return request.waits_for_stop ? WAITS.payments_stopped : null;
}

/** A withdrawal without an order. */
export const waitsForOperator = (request: PoolRequest) =>
  request.kind === 'withdrawal' &&
  request.state === 'queued' &&
  (request.order_state === null ||
    (request.order_state !== 'awaiting_approval' && request.waits_because === 'waits_for_operator'));

function Amount({ request }: { request: PoolRequest }) {
  const isEverything = request.kind === 'withdrawal' && request.is_everything;
  const everything = request.kind === 'withdrawal' && request.is_part ? 'Rest of everything' : 'Everything';
  if (request.amount === null) return <span className="text-muted">{everything}</span>;
  return (
    <span>
      <Money amount={request.amount} as="bare" />
      {isEverything && <span className="block text-xs text-muted">{everything}</span>}
    </span>
  );
}

const canEnd = ({ state }: PoolRequest) => state === 'queued' || state === 'reserved';

interface RequestColumnsOptions {
  explorerUrl: string;
  /** Null: the caller may not act. */
  onEnd: ((request: PoolRequest) => void) | null;
}

export function requestColumns({
  explorerUrl,
  onEnd,
}: RequestColumnsOptions): readonly PlainColumn<PoolRequest>[] {
  const act: PlainColumn<PoolRequest> = {
    id: 'act',
    header: 'Act',
    width: '14%',
    align: 'end',
    onCard: 'line',
    cell: (request) =>
      onEnd && canEnd(request) ? (
        <Button className="h-7!" onClick={() => onEnd(request)}>
          {request.kind === 'deposit' ? 'Return' : 'Cancel'}
        </Button>
      ) : null,
  };
  return [
    dateColumn('18%', 'line'),
    {
      id: 'kind',
      header: 'Type',
      width: '12%',
      onCard: 'lead',
      cell: ({ kind }) => (kind === 'deposit' ? 'Deposit' : 'Withdrawal'),
    },
    {
      id: 'trader',
      header: 'Trader',
      width: '18%',
      onCard: 'lead',
      cell: ({ trader }) => <MemberLink trader={trader} />,
    },
    {
      id: 'state',
      header: 'Status',
      width: '16%',
      onCard: 'end',
      cell: (request) => (
        <span className="flex flex-col items-start gap-0.5 max-md:items-end">
          <State tone={STATES[request.state].tone}>{STATES[request.state].text}</State>
          {waitsOf(request) && <span className="text-xs text-caution">{waitsOf(request)}</span>}
        </span>
      ),
    },
    {
      id: 'amount',
      header: 'Amount (USDT)',
      width: '14%',
      align: 'end',
      onCard: 'line',
      cell: (request) => <Amount request={request} />,
    },
    {
      id: 'transaction',
      header: 'Transaction',
      width: '12%',
      align: 'end',
      cell: ({ transaction_hash, kind }) => (
        <TxLink
          hash={transaction_hash}
          what={kind === 'deposit' ? 'Deposit' : 'Withdrawal'}
          explorerUrl={explorerUrl}
        />
      ),
    },
    ...(onEnd ? [act] : []),
  ];
}
