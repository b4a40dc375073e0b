import type { OrderActName } from '@copydesk/domain/access';
import type { OrderAct } from '../../../core/transfers/orders/order-act.ts';
import type { OrderRules } from '../../../core/transfers/orders/place-order.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { approveOrder, declineOrder } from './orders.service.ts';
import { listOrders } from './orders.views.ts';

type OrderCall = 'GET /api/orders' | `POST /api/orders/{id}/${'approve' | 'decline'}`;

const DEFAULT_PAGE = 50;

interface OrderDeps extends OrderRules {
  db: Database;
  /** What each act does, from the features. */
  acts: Record<OrderActName, OrderAct>;
}

/** What people ordered and other people decide about. */
export function createOrderRoutes({ db, acts, ...rules }: OrderDeps): Pick<Handlers, OrderCall> {
  const deps = { ...rules, act: (name: OrderActName) => acts[name] };
  return {
    'GET /api/orders': async ({ scope, actor, query }) => {
      const {
        limit = DEFAULT_PAGE,
        offset = 0,
        state = 'awaiting',
        pool_id: poolId,
        order_id: orderId,
      } = query;
      const chosen = { callerId: actor.id, isAll: state === 'all', poolId, orderId, limit, offset };
      const { data, total } = await db.read(scope, (tx) => listOrders(tx, rules, chosen));
      return { success: true, data, meta: { total } };
    },
    'POST /api/orders/{id}/approve': ({ params: { id }, once }) =>
      once(async (tx) => {
        await approveOrder(tx, deps, id);
        return { success: true, data: { id, state: 'approved' } };
      }),
    'POST /api/orders/{id}/decline': ({ params: { id }, once }) =>
      once(async (tx) => {
        await declineOrder(tx, deps, id);
        return { success: true, data: { id, state: 'declined' } };
      }),
  };
}
