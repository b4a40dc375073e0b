import type { Database } from '../../platform/db/database.ts';
import { partsOfQuery } from '../../platform/db/lists/list-query.ts';
import type { TotalsCache } from '../../platform/db/lists/totals-cache.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { Refusal } from '../../platform/refusal.ts';
import { listWaitingAddresses } from './addresses/changed-addresses.views.ts';
import { releaseAddress } from './addresses/release-address.service.ts';
import { answered, createDistributionRoutes } from './distributions/distributions.routes.ts';
import { cancelPayout, resendPayout } from './payout-acts.service.ts';
import { showTakenAlong } from './payout-facts.views.ts';
import type { PlanDeps } from './plan-deps.ts';
import { listRecipientPage } from './recipients/recipients.views.ts';
import { planRetry, retryPayouts } from './retry-payouts.service.ts';
import { createPayoutRunRoutes } from './runs/payout-runs.routes.ts';
import { findWalletBalance } from './wallet-balance.views.ts';

type PayoutRoutes = ReturnType<typeof createDistributionRoutes> &
  ReturnType<typeof createPayoutRunRoutes> &
  Pick<
    Handlers,
    | `POST /api/sweep-operations/{id}/${'retry' | 'cancel' | 'resend'}`
    | `POST /api/sweep-operations/retry${'' | '/preview'}`
    | 'GET /api/communities/{id}/wallet-balance'
    | 'GET /api/super-admin/payout-addresses'
    | 'GET /api/super-admin/recipients'
    | `POST /api/super-admin/payout-addresses/${'release' | '{id}/release'}`
  >;

const DEFAULT_PAGE = 50;

/** Routes for people's decisions about payouts. The worker makes the transfers. */
export function createPayoutRoutes(deps: PlanDeps & { db: Database; totals: TotalsCache }): PayoutRoutes {
  const { db, now, chainId } = deps;
  return {
    ...createDistributionRoutes(deps),
    ...createPayoutRunRoutes(deps),

    'POST /api/sweep-operations/{id}/retry': ({ params: { id }, once }) =>
      once(async (tx) => {
        const { statuses, along } = await retryPayouts(tx, deps, [id]);
        const retried_with = await showTakenAlong(tx, along);
        return { success: true, data: { id, status: statuses.get(id) as string, retried_with } };
      }),

    'POST /api/sweep-operations/retry/preview': async ({ scope, actor, body }) => ({
      success: true,
      data: await db.read(scope, (tx) => planRetry(tx, deps, actor.id, body)),
    }),

    'POST /api/sweep-operations/retry': ({ body, once }) =>
      once(async (tx) => {
        const expected = { count: body.expected_count, amount: body.expected_amount };
        await retryPayouts(tx, deps, body.payout_ids, expected);
        return { success: true, data: { paid: expected.count, amount: expected.amount } };
      }),

    'POST /api/sweep-operations/{id}/cancel': ({ params: { id }, once }) =>
      once(async (tx) => ({ success: true, data: await cancelPayout(tx, id) })),

    'POST /api/sweep-operations/{id}/resend': ({ params: { id }, body, once }) =>
      once(async (tx) => answered(await resendPayout(tx, deps, id, body.reason))),

    'GET /api/communities/{id}/wallet-balance': async ({ scope, params: { id } }) => {
      const balance = await db.read(scope, (tx) => findWalletBalance(tx, id, chainId));
      if (!balance) throw new Refusal('not_found');
      return { success: true, data: { ...balance, as_of: now().toISOString() } };
    },

    'GET /api/super-admin/payout-addresses': async ({ scope, actor, query }) => {
      const { limit = DEFAULT_PAGE, offset = 0, change_id: changeId } = query;
      const { data, total } = await db.read(scope, (tx) =>
        listWaitingAddresses(tx, deps, actor.id, { limit, offset, changeId }),
      );
      return { success: true, data, meta: { total } };
    },

    'GET /api/super-admin/recipients': async ({ scope, actor, query }) => {
      const { filters, order, paging } = partsOfQuery(query, 'changed_at');
      const { limit = DEFAULT_PAGE, offset = 0 } = paging;
      const page = { ...filters, ...order, limit, offset };
      const { data, states } = await db.read(scope, (tx) => listRecipientPage(tx, deps, actor.id, page));
      const { payable, held, missing } = states;
      const total = query.state ? states[query.state] : payable + held + missing;
      return { success: true, data, meta: { total, states } };
    },

    'POST /api/super-admin/payout-addresses/release': ({ body, once }) =>
      once(async (tx) => {
        // Sorted, so that two concurrent releases of the same addresses cannot deadlock.
        const ids = [...new Set(body.change_ids)].toSorted();
        for (const id of ids) await releaseAddress(tx, deps, id);
        return { success: true, data: { released: ids.length } };
      }),

    'POST /api/super-admin/payout-addresses/{id}/release': ({ params: { id }, once }) =>
      once(async (tx) => ({ success: true, data: await releaseAddress(tx, deps, id) })),
  };
}
