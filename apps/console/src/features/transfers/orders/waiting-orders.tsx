import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { chainWords } from '../../../lib/format/chain-texts.ts';
import { WholeAddress } from '../../../ui/figures/address.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { NoteBelow } from '../../../ui/figures/note-below.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { UnreadDialog } from '../../../ui/form/unread-dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { WaitingList } from '../../../ui/form/waiting-list.tsx';
import { factWords, needsWords, orderWords } from './order-texts.ts';
import { type Order, waitingOrderQuery, waitingOrdersQuery } from './orders-queries.ts';

/** What a line without an amount says, where it does not mean everything. */
const NO_AMOUNT: Partial<Record<Order['act'], string>> = { invoices_archived: 'Nothing unpaid' };

type Decision = 'approve' | 'decline';

/** Orders of one pool, or of any, that wait for another super admin. For super admins. */
export function WaitingOrders({ poolId, title }: { poolId?: string; title?: string }) {
  const [asked, setAsked] = useState<{ order: Order; decision: Decision } | null>(null);
  const { data, error, refetch } = useQuery(waitingOrdersQuery(poolId));
  return (
    <>
      <WaitingList
        isBox
        {...(title && { title })}
        total={data?.meta.total}
        failure={error ? { message: messageOf(error), onRetry: () => void refetch() } : undefined}
        items={(data?.data ?? []).map((order) => ({
          id: order.id,
          text: (
            <>
              {poolId === undefined && order.pool_id ? (
                <Link
                  to="/pools/$poolId"
                  params={{ poolId: order.pool_id }}
                  className="rounded font-medium break-words underline decoration-caution/50 hover:text-accent"
                >
                  {orderWords(order)}
                </Link>
              ) : (
                <strong className="font-semibold break-words">{orderWords(order)}</strong>
              )}
              , requested by {order.requested_by}, <When at={order.requested_at} />
            </>
          ),
          refusal: order.refusal,
          decline: order.is_own ? 'Withdraw' : 'Decline',
          onApprove: () => setAsked({ order, decision: 'approve' }),
          onDecline: () => setAsked({ order, decision: 'decline' }),
        }))}
      />
      {asked && <DecideDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** One order to approve, read once more: it may have been decided meanwhile. */
export function ApproveOrder({ orderId, onClose }: { orderId: string; onClose(): void }) {
  const { data, error, isFetchedAfterMount } = useQuery(waitingOrderQuery(orderId));
  if (data && isFetchedAfterMount) return <DecideDialog order={data} decision="approve" onClose={onClose} />;
  const isGone = data === null && isFetchedAfterMount;
  return (
    <UnreadDialog
      title="Approve order"
      confirm="Approve"
      busy="Saving..."
      gone={isGone ? 'It waits no longer: it was decided meanwhile.' : null}
      error={error ? messageOf(error) : null}
      onClose={onClose}
    />
  );
}

interface DecideDialogProps {
  order: Order;
  decision: Decision;
  onClose(): void;
}

/** Shows an order exactly as an approval binds it. */
function DecideDialog({ order, decision, onClose }: DecideDialogProps) {
  const { id, lines, requested_by, is_own } = order;
  const verb = decision === 'approve' ? 'Approve' : is_own ? 'Withdraw' : 'Decline';
  const decide = useAct({
    // An order changes what other screens show.
    reads: [],
    send: (keyOf) => {
      const input = { params: { id }, idempotencyKey: keyOf({ id, decision }) };
      return decision === 'approve'
        ? call('POST /api/orders/{id}/approve', input)
        : call('POST /api/orders/{id}/decline', input);
    },
    done: () => ({
      title: decision === 'approve' ? 'Approved' : is_own ? 'Withdrawn' : 'Declined',
      text: orderWords(order),
    }),
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`${verb} order`}
      text={
        decision === 'approve'
          ? `${needsWords(order)} Ask ${requested_by} by another channel whether the request is theirs.`
          : 'Nothing is paid or changed. What was asked for can be ordered again.'
      }
      confirm={verb}
      busy="Saving..."
      isDanger={decision === 'decline'}
      {...decide}
      onClose={onClose}
    >
      <p className="mt-3 font-medium break-words">{orderWords(order)}</p>
      <ul className="mt-2 max-h-56 space-y-1.5 overflow-y-auto rounded-md border border-line p-2.5 text-xs">
        {lines.map(({ subject_id, label, to_address, chain, amount }) => (
          <li key={subject_id}>
            <span className="flex justify-between gap-3">
              <bdi className="min-w-0 break-words">{label}</bdi>
              {order.amount !== '0' && (
                <span className="shrink-0 tabular-nums">
                  {amount === null ? (NO_AMOUNT[order.act] ?? 'Everything') : <Money amount={amount} />}
                </span>
              )}
            </span>
            {to_address && (
              <>
                <WholeAddress address={to_address} className="text-muted" />
                <NoteBelow {...chainWords(chain)} />
              </>
            )}
          </li>
        ))}
        {order.line_count > lines.length && (
          <li className="text-muted">
            and{' '}
            <Count n={order.line_count - lines.length} plain="An order lists its largest recipients only" />{' '}
            with smaller amounts
          </li>
        )}
      </ul>
      <Facts look="small" className="mt-2 empty:hidden">
        {factWords(order).map(([label, value]) => (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ))}
      </Facts>
    </AskDialog>
  );
}
