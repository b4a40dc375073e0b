import type { RecipientType } from '@copydesk/domain/catalogue';
import { sumDecimals } from '@copydesk/domain/money';
import type { Database } from '../../../platform/db/database.ts';
import type { TotalsCache } from '../../../platform/db/lists/totals-cache.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { findProvider } from '../../providers/providers.views.ts';
import { findChangedAddress, listChangedAddresses } from '../addresses/changed-addresses.views.ts';
import { findPayingCommunity } from '../paying-community.store.ts';
import type { PlanDeps } from '../plan-deps.ts';
import { approve, decline } from './decide-distribution.service.ts';
import { type DistributionPlan, distribute } from './distribute.service.ts';
import { findState, listAllAwaiting, listDistributions } from './distributions.views.ts';
import { listDue } from './due.views.ts';
import { readPending, readWithdrawable } from './pending.service.ts';
import { listPaidRecipients } from './recipient-history.views.ts';

type DistributionCall =
  | 'GET /api/super-admin/pending-distributions'
  | `GET /api/super-admin/communities/{id}/${'pending-distributions' | 'distributions' | 'payout-addresses'}`
  | 'GET /api/super-admin/providers/{id}/payout-address'
  | 'POST /api/super-admin/communities/{id}/distribute'
  | 'GET /api/super-admin/distributions/awaiting'
  | 'GET /api/super-admin/distributions/{id}/recipients'
  | `POST /api/super-admin/distributions/{id}/${'approve' | 'decline'}`
  | 'GET /api/communities/{id}/available-for-withdrawal'
  | 'POST /api/communities/{id}/withdraw';

const DEFAULT_PAGE = 25;
/** The recipient type of the community's own share. */
const OWN_SHARE: RecipientType = 'community';

/** Routes for the amounts that communities owe and for the decisions to pay them out. */
export function createDistributionRoutes({
  db,
  totals,
  ...deps
}: PlanDeps & { db: Database; totals: TotalsCache }): Pick<Handlers, DistributionCall> {
  return {
    'GET /api/super-admin/communities/{id}/pending-distributions': async ({
      scope,
      actor,
      params: { id },
    }) => ({
      success: true,
      message: 'Pending distributions retrieved',
      ...(await db.read(scope, (tx) => readPending(tx, deps, id, actor.id))),
    }),

    'GET /api/super-admin/pending-distributions': async ({ scope }) => {
      // Cached, because it reads every pending share: people who look at the same time share one read.
      const { value, takenAt } = await totals.get(`due by community ${JSON.stringify(scope)}`, () =>
        db.read(scope, (tx) =>
          listDue(tx, { chainId: deps.chainId, holdHours: deps.rules.addressHoldHours }),
        ),
      );
      const amount = sumDecimals(value.map((due) => due.amount));
      const count = value.reduce((sum, due) => sum + due.count, 0);
      return {
        success: true,
        data: value,
        meta: { amount, count, communities: value.length, totals_at: takenAt.toISOString() },
      };
    },

    'GET /api/super-admin/communities/{id}/payout-addresses': async ({ scope, actor, params: { id } }) => {
      const data = await db.read(scope, async (tx) => {
        if (!(await findPayingCommunity(tx, id))) throw new Refusal('not_found');
        return listChangedAddresses(tx, deps, id, actor.id);
      });
      return { success: true, data };
    },

    'GET /api/super-admin/providers/{id}/payout-address': async ({ scope, actor, params: { id } }) => {
      const data = await db.read(scope, async (tx) => {
        if (!(await findProvider(tx, id))) throw new Refusal('not_found');
        return findChangedAddress(tx, deps, id, actor.id);
      });
      return { success: true, data };
    },

    'POST /api/super-admin/communities/{id}/distribute': ({ params: { id }, body, once }) =>
      once(async (tx) =>
        answered(
          await distribute(tx, deps, {
            communityId: id,
            isDry: body.dry_run ?? false,
            addresses: body.selectedRecipients,
            expectedAmount: body.expected_amount,
            isAllowedOnce: body.allow_once ?? false,
          }),
        ),
      ),

    'GET /api/super-admin/communities/{id}/distributions': async ({
      scope,
      actor,
      params: { id },
      query,
    }) => {
      const page = { limit: query.limit ?? DEFAULT_PAGE, offset: query.offset ?? 0 };
      const { data, total } = await db.read(scope, async (tx) => {
        if (!(await findPayingCommunity(tx, id))) throw new Refusal('not_found');
        return listDistributions(tx, deps, id, actor.id, page);
      });
      return { success: true, data, meta: { total } };
    },

    'GET /api/super-admin/distributions/awaiting': async ({ scope, actor, query }) => {
      const page = {
        limit: query.limit ?? DEFAULT_PAGE,
        offset: query.offset ?? 0,
        communityId: query.community_id,
      };
      const { data, total } = await db.read(scope, (tx) => listAllAwaiting(tx, deps, actor.id, page));
      return { success: true, data, meta: { total } };
    },

    'GET /api/super-admin/distributions/{id}/recipients': async ({ scope, params: { id } }) => ({
      success: true,
      data: await db.read(scope, async (tx) => {
        const state = await findState(tx, id);
        if (state === null) throw new Refusal('not_found');
        if (state !== 'awaiting_approval') throw new Refusal('distribution_decided');
        return listPaidRecipients(tx, { distributionId: id }, deps.now());
      }),
    }),

    'POST /api/super-admin/distributions/{id}/approve': ({ params: { id }, once }) =>
      once(async (tx) => ({ success: true, data: await approve(tx, deps, id) })),

    'POST /api/super-admin/distributions/{id}/decline': ({ params: { id }, once }) =>
      once(async (tx) => ({ success: true, data: await decline(tx, deps, id) })),

    'GET /api/communities/{id}/available-for-withdrawal': async ({ scope, params: { id } }) => ({
      success: true,
      data: await db.read(scope, (tx) => readWithdrawable(tx, deps, id)),
    }),

    'POST /api/communities/{id}/withdraw': ({ params: { id }, body, once }) =>
      once(async (tx) =>
        answered(
          await distribute(tx, deps, {
            communityId: id,
            role: OWN_SHARE,
            isDry: body.dry_run ?? false,
            expectedAmount: body.expected_amount,
            isAllowedOnce: body.allow_once ?? false,
          }),
        ),
      ),
  };
}

/** A plan with a one-line summary. */
export function answered(plan: DistributionPlan): { success: true; message: string; data: DistributionPlan } {
  return { success: true, message: messageOf(plan), data: plan };
}

function messageOf({ distribution, payouts, total_amount }: DistributionPlan): string {
  const parts = payouts.length === 1 ? '1 payout' : `${payouts.length} payouts`;
  if (!distribution) return `${total_amount} USDT would be paid in ${parts}. Nothing was changed.`;
  if (distribution.state === 'awaiting_approval')
    return `${total_amount} USDT in ${parts}: another super admin must approve it`;
  return `${total_amount} USDT is being paid in ${parts}`;
}
