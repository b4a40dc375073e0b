import type { CallParsed } from '@copydesk/contract';
import type { Scope } from '@copydesk/domain/access';
import { refuseCancelling } from '@copydesk/domain/exchange-bot';
import type { PlatformWeights } from '@copydesk/domain/invoices';
import type { OrderRules, Waits } from '../../../../core/transfers/orders/place-order.ts';
import { orderWriteOff } from '../../../../core/transfers/orders/write-off.ts';
import type { Database, Tx, WriteTx } from '../../../../platform/db/database.ts';
import type { TotalsCache } from '../../../../platform/db/lists/totals-cache.ts';
import type { Handlers } from '../../../../platform/http/handlers.ts';
import { Refusal } from '../../../../platform/refusal.ts';
import { traderExists } from '../../../traders/trader-exists.views.ts';
import { findBot } from '../bot/bots.views.ts';
import { cancelSales, creditFacts } from './cancel-sales.ts';
import { orderDiscount } from './coupon-use.ts';
import { type OrderDeps, orderPlan } from './order-plan.ts';
import { type LockedSale, lockSales } from './sale-invoices.store.ts';
import * as views from './sales.views.ts';
import { readFigures } from './sales-figures.views.ts';

type SaleCall =
  | `POST /api/exchange-bot/invoices${'' | '/{id}/apply-coupon'}`
  | `GET /api/exchange-bot/invoices/${'user/' | ''}{id}`
  | 'PATCH /api/exchange-bot/invoices/{id}/status'
  | `GET /api/exchange-bot/{id}/${'sales' | 'sales/figures' | 'subscribers'}`;

export interface SaleDeps extends Pick<OrderDeps, 'applyOpenPayments'> {
  db: Database;
  totals: TotalsCache;
  /** How the platform's recipients share their part now. */
  weights(): PlatformWeights;
  /** The community's part of new orders, as a percentage. */
  communityPercentage(): string;
  /** Marks an invoice as paid off-platform, or as unpaid again. Answers with the order when it waits for one. */
  mark(
    tx: WriteTx,
    invoiceId: string,
    how: { isPaid: boolean; reason: string | undefined },
  ): Promise<Waits | object>;
  orderRules: OrderRules;
  now: () => Date;
}

type StatusChange = CallParsed<'PATCH /api/exchange-bot/invoices/{id}/status'>['body'];

/** Orders of the bots' plans, and what they come to. */
export function createSaleRoutes(deps: SaleDeps): Pick<Handlers, SaleCall> {
  const { db, totals, now } = deps;
  const answerSale = async (tx: Tx, id: string) => {
    const data = await views.findSale(tx, id);
    if (!data) throw new Refusal('not_found');
    return { success: true as const, data };
  };
  const answerWaiting = (orderId: string) => ({
    success: true as const,
    data: { state: 'awaiting_approval' as const, order_id: orderId },
  });
  const requireSale = async (tx: WriteTx, id: string): Promise<LockedSale> => {
    const [sale] = await lockSales(tx, [id]);
    if (!sale) throw new Refusal('not_found');
    return sale;
  };
  const readBot = <T>(scope: Scope, id: string, read: (tx: Tx) => Promise<T>) =>
    db.read(scope, async (tx) => {
      if (!(await findBot(tx, id))) throw new Refusal('not_found');
      return read(tx);
    });

  return {
    'POST /api/exchange-bot/invoices': async ({ body, once }) => {
      const { applyOpenPayments, orderRules } = deps;
      const order = {
        platformWeights: deps.weights(),
        communityPercentage: deps.communityPercentage(),
        now: now(),
      };
      return once(async (tx) =>
        answerSale(tx, await orderPlan(tx, { ...order, applyOpenPayments, orderRules }, body)),
      );
    },

    'POST /api/exchange-bot/invoices/{id}/apply-coupon': ({ params: { id }, body, once }) =>
      once(async (tx) => {
        const { coupon_code: code, reason } = body;
        const how = { code, reason, platformWeights: deps.weights(), now: now() };
        const waits = await orderDiscount(tx, deps.orderRules, await requireSale(tx, id), how);
        return waits.order_id === null ? answerSale(tx, id) : answerWaiting(waits.order_id);
      }),

    'PATCH /api/exchange-bot/invoices/{id}/status': ({ params: { id }, body, once }) =>
      once(async (tx) => {
        const sale = await requireSale(tx, id);
        const orderId = body.status === sale.status ? null : await changeStatus(tx, sale, body);
        return orderId === null ? answerSale(tx, id) : answerWaiting(orderId);
      }),

    'GET /api/exchange-bot/invoices/{id}': async ({ scope, params: { id } }) => {
      const data = await db.readAny(scope, (tx) => views.findOrder(tx, id));
      if (!data) throw new Refusal('not_found');
      return { success: true, data };
    },

    'GET /api/exchange-bot/invoices/user/{id}': async ({ scope, params: { id }, query }) => ({
      success: true,
      ...(await db.readAny(scope, async (tx) => {
        if (!(await traderExists(tx, id))) throw new Refusal('not_found');
        return {
          data: await views.listSales(tx, views.ofTrader(id), query),
          meta: { total: await views.countSales(tx, views.ofTrader(id), query) },
        };
      })),
    }),

    'GET /api/exchange-bot/{id}/sales': async ({ scope, params: { id }, query }) => {
      const data = await readBot(scope, id, (tx) => views.listSales(tx, views.ofBot(id), query));
      const { value: total } = await totals.get(`bot sales ${id} ${query.status ?? ''}`, () =>
        db.readAny(scope, (tx) => views.countSales(tx, views.ofBot(id), query)),
      );
      return { success: true, data, meta: { total } };
    },

    'GET /api/exchange-bot/{id}/sales/figures': async ({ scope, params: { id }, query: { days } }) => {
      await readBot(scope, id, async () => {});
      const { value: data } = await totals.get(`bot figures ${id} ${days ?? ''}`, () =>
        db.readAny(scope, (tx) => readFigures(tx, id, { days, now: now() })),
      );
      return { success: true, data: { ...data, community_percentage: deps.communityPercentage() } };
    },

    'GET /api/exchange-bot/{id}/subscribers': async ({ scope, params: { id }, query }) => {
      const data = await readBot(scope, id, (tx) => views.listSubscribers(tx, id, query));
      const { value: total } = await totals.get(`bot subscribers ${id}`, () =>
        db.readAny(scope, (tx) => views.countSubscribers(tx, id)),
      );
      return { success: true, data, meta: { total } };
    },
  };

  /** @returns the order that it waits for; null: it is done */
  async function changeStatus(
    tx: WriteTx,
    sale: LockedSale,
    { status, reason, paid_becomes_credit }: StatusChange,
  ): Promise<string | null> {
    if (status !== 'cancelled') {
      const result = await deps.mark(tx, sale.invoiceId, { isPaid: status === 'paid', reason });
      return 'order_id' in result ? result.order_id : null;
    }
    const refusal = refuseCancelling(sale, { isPaidToCredit: paid_becomes_credit ?? false });
    if (refusal) throw new Refusal(refusal);
    const waits = await orderWriteOff(tx, deps.orderRules, 'sale_cancelled', {
      invoices: [sale],
      reason,
      facts: creditFacts(sale),
    });
    if (waits.order_id === null) await cancelSales(tx, [sale], 'staff', reason);
    return waits.order_id;
  }
}
