import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { communityExists } from '../community-exists.views.ts';
import { changeLink, linkProvider, unlinkProvider } from './community-providers.service.ts';
import { findCommunityProvider, listCommunityProviders, listUses } from './community-providers.views.ts';

type LinkCall =
  | `${'GET' | 'POST'} /api/communities/{id}/providers`
  | `${'PUT' | 'DELETE'} /api/communities/{id}/providers/{providerId}`
  | 'GET /api/communities/{id}/providers/{providerId}/can-remove';

/** The providers that communities work with. */
export function createCommunityProviderRoutes({
  db,
  now,
}: {
  db: Database;
  now: () => Date;
}): Pick<Handlers, LinkCall> {
  const answer = async (tx: Tx, communityId: string, providerId: string) => {
    const link = await findCommunityProvider(tx, communityId, providerId);
    if (!link) throw new Refusal('not_found');
    return { success: true as const, data: link };
  };
  return {
    'GET /api/communities/{id}/providers': async ({ scope, params: { id } }) => {
      const data = await db.read(scope, async (tx) => {
        if (!(await communityExists(tx, id))) throw new Refusal('not_found');
        return listCommunityProviders(tx, id);
      });
      return { success: true, data };
    },

    'POST /api/communities/{id}/providers': ({ scope, actor, params: { id }, body }) =>
      db.write(scope, actor, async (tx) => {
        await linkProvider(tx, id, { providerId: body.provider_id, name: body.custom_display_name });
        return answer(tx, id, body.provider_id);
      }),

    'PUT /api/communities/{id}/providers/{providerId}': ({ scope, actor, params, body }) =>
      db.write(scope, actor, async (tx) => {
        await changeLink(tx, params.id, params.providerId, body);
        return answer(tx, params.id, params.providerId);
      }),

    'DELETE /api/communities/{id}/providers/{providerId}': async ({ scope, actor, params }) => {
      await db.write(scope, actor, (tx) => unlinkProvider(tx, params.id, params.providerId, now()));
      return { success: true, data: { provider_id: params.providerId } };
    },

    'GET /api/communities/{id}/providers/{providerId}/can-remove': async ({ scope, params }) => {
      const reasons = await db.read(scope, async (tx) => {
        if (!(await findCommunityProvider(tx, params.id, params.providerId))) throw new Refusal('not_found');
        return listUses(tx, params.id, params.providerId);
      });
      return { success: true, data: { can_remove: reasons.length === 0, reasons } };
    },
  };
}
