import type { Step } from '../../../ui/figures/steps.tsx';
import { When } from '../../../ui/figures/when.tsx';
import type { Order } from '../bot-queries.ts';

/** How far an order has come: ordered, paid, in use, over. */
export function orderSteps(order: Order, now: number): Step[] {
  const { status, created_at: ordered, sold_at: sold, access_from: from, access_until: until } = order;
  const isIn = from !== null && Date.parse(from) <= now;
  const isOver = until !== null && Date.parse(until) <= now;
  const first: Step = { id: 'ordered', label: 'Ordered', state: 'done', note: <When at={ordered} /> };
  if (status === 'cancelled')
    return [
      first,
      {
        id: 'ended',
        label: order.cancelled_because === 'expired' ? 'Expired' : 'Cancelled',
        state: 'failed',
        note: order.ended_at && <When at={order.ended_at} />,
      },
      { id: 'access', label: 'Access', state: 'skipped' },
    ];
  return [
    first,
    sold === null
      ? {
          id: 'paid',
          label: Number(order.paid_amount) > 0 ? 'Partly paid' : 'Waits for payment',
          state: 'running',
          // A part that was paid keeps it open.
          note:
            Number(order.paid_amount) > 0 ? null : (
              <>
                until <When at={order.expires_at} />
              </>
            ),
        }
      : { id: 'paid', label: 'Paid', state: 'done', note: <When at={sold} /> },
    {
      id: 'access',
      label: 'Access',
      state: isOver ? 'done' : isIn ? 'running' : 'ahead',
      note: from && (
        <>
          from <When at={from} />
        </>
      ),
    },
    {
      id: 'over',
      label: isOver ? 'Access ended' : 'Access ends',
      state: isOver ? 'done' : 'ahead',
      note: until && <When at={until} />,
    },
  ];
}
