import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  describeLink,
  findOwnerPayment,
  openOwnerPage,
  type PaymentLinkDeps,
  sendLink,
} from './payment-link.service.ts';

type PaymentLinkCall =
  | `${'GET' | 'POST'} /api/communities/{id}/payment-link`
  | `POST /api/community-owner/payment${'' | '/page'}`;

/** The link by which the owner of a community pays: sent by super admins, used without an account. */
export function createPaymentLinkRoutes(deps: PaymentLinkDeps): Pick<Handlers, PaymentLinkCall> {
  const read = (token: string): string => {
    const communityId = deps.links.read(token);
    if (communityId === null) throw new Refusal('link_invalid');
    return communityId;
  };
  return {
    'GET /api/communities/{id}/payment-link': ({ scope, params: { id } }) =>
      deps.db.read(scope, async (tx) => ({ success: true, data: await describeLink(tx, deps, id) })),

    'POST /api/communities/{id}/payment-link': ({ once, params: { id } }) =>
      once(async (tx) => ({ success: true, data: await sendLink(tx, deps, id) })),

    'POST /api/community-owner/payment': async ({ body }) => {
      const communityId = read(body.token);
      const data = await deps.db.read(WHOLE_SCOPE, (tx) => findOwnerPayment(tx, deps, communityId));
      if (!data) throw new Refusal('link_invalid');
      return { success: true, data };
    },

    'POST /api/community-owner/payment/page': async ({ body: { token, interval }, requestId }) => ({
      success: true,
      data: await openOwnerPage(deps, { communityId: read(token), interval, requestId }),
    }),
  };
}
