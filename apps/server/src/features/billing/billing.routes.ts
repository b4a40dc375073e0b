import { type SubscriptionState, subscriptionAccess } from '@copydesk/domain/billing';
import type { Handlers } from '../../platform/http/handlers.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findCommunity } from '../communities/communities.views.ts';
import {
  type CheckoutDeps,
  openCheckout,
  openPortal,
  recordCheckout,
  wayBackOf,
} from './checkout.service.ts';
import { findCustomer } from './customers.store.ts';
import * as views from './subscriptions.views.ts';

type BillingCall =
  | 'GET /api/subscriptions'
  | 'GET /api/communities/{id}/subscription'
  | 'GET /api/traders/{id}/subscription'
  | `POST /api/communities/{id}/${'checkout' | 'customer-portal'}`;

interface Deps extends CheckoutDeps {
  now: () => Date;
  graceDays: number;
}

/** Subscriptions of communities, as stored, and the pages of the payment service. */
export function createBillingRoutes(deps: Deps): Pick<Handlers, BillingCall> {
  const { db, billing, now, graceDays, plans } = deps;
  const describe = (communityId: string, held: views.StoredSubscription | null) => {
    const access = subscriptionAccess(held, { now: now(), graceDays });
    const summary = {
      community_id: communityId,
      is_active: access.allows.length > 0,
      interval: held?.interval ?? null,
      current_period_end: isoOf(held?.currentPeriodEnd),
    };
    const facts = {
      ...summary,
      status: access.state,
      cancel_at_period_end: held?.cancelAtPeriodEnd ?? false,
      trial_end: isoOf(held?.trialEnd),
      unpaid_since: isoOf(held?.unpaidSince),
      grace_until: isoOf(access.graceUntil),
      closed_at: isoOf(access.closedAt),
      payment_notice: held?.paymentNotice ?? null,
      has_duplicate: held?.hasDuplicate ?? false,
      read_at: isoOf(held?.readAt),
    };
    return { access, summary, facts };
  };
  const offer = () => ({ is_configured: billing !== null, plans: plans() });

  return {
    'GET /api/subscriptions': async ({ scope }) => {
      const communities = await db.read(scope, views.listWithSubscription);
      return {
        success: true,
        data: communities.flatMap(({ id, name, is_archived, has_customer, held }) => {
          const { facts } = describe(id, held);
          return is_archived && !isLasting(facts)
            ? []
            : { ...facts, community: name, is_archived, has_customer };
        }),
        meta: offer(),
      };
    },

    'GET /api/communities/{id}/subscription': async ({ scope, params: { id } }) => {
      const { held, customerId } = await db.read(scope, async (tx) => {
        if (!(await findCommunity(tx, id))) throw new Refusal('not_found');
        return { held: await views.findSubscription(tx, id), customerId: await findCustomer(tx, id) };
      });
      const { access, facts } = describe(id, held);
      return {
        success: true,
        data: { ...facts, ...offer(), has_customer: customerId !== null, allows: [...access.allows] },
      };
    },

    'GET /api/traders/{id}/subscription': async ({ scope, params: { id } }) => {
      const found = await db.read(scope, async (tx) => {
        const communityId = await views.findCommunityOfTrader(tx, id);
        if (communityId === null) throw new Refusal('not_found');
        return { communityId, held: await views.findSubscription(tx, communityId) };
      });
      return { success: true, data: describe(found.communityId, found.held).summary };
    },

    'POST /api/communities/{id}/checkout': ({ once, scope, actor, http, params: { id }, body }) => {
      const order = { communityId: id, interval: body.interval };
      return once(
        async (tx, data: { url: string }) => {
          await recordCheckout(tx, order);
          return { success: true, data };
        },
        () =>
          openCheckout(deps, { scope, actor }, { ...order, back: wayBackOf(deps, id, http.headers.origin) }),
      );
    },

    'POST /api/communities/{id}/customer-portal': async ({ scope, http, params: { id } }) => ({
      success: true,
      data: await openPortal(deps, scope, { communityId: id, from: http.headers.origin }),
    }),
  };
}

/** Ended or never begun subscriptions aside: a community that was deleted may still be paying. */
const isLasting = ({ status }: { status: SubscriptionState }) => status !== 'none' && status !== 'canceled';

const isoOf = (time: Date | null | undefined) => time?.toISOString() ?? null;
