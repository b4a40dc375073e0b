import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { personOf } from '../sign-in/proof.ts';
import { changeSettings, deleteLayout, saveLayout } from './own-settings.store.ts';

type OwnSettingRoutes = Pick<
  Handlers,
  'PATCH /api/me/settings' | 'PUT /api/me/lists/{list}' | 'DELETE /api/me/lists/{list}'
>;

/** Routes for what a person chooses for itself, with either identity service. `GET /api/me` answers with it. */
export function createOwnSettingRoutes({ db }: Pick<IdentityDeps, 'db'>): OwnSettingRoutes {
  return {
    'PATCH /api/me/settings': async ({ scope, actor, principal, body }) => {
      const { id } = personOf(principal);
      return { success: true, data: await db.write(scope, actor, (tx) => changeSettings(tx, id, body)) };
    },

    'PUT /api/me/lists/{list}': async ({ scope, actor, principal, params: { list }, body }) => {
      const { id } = personOf(principal);
      const { version: seen, ...layout } = body;
      const version = await db.write(scope, actor, (tx) => saveLayout(tx, id, list, { layout, seen }));
      if (version === null)
        throw new Refusal('changed_meanwhile', { message: 'The columns were arranged elsewhere meanwhile.' });
      return { success: true, data: { ...layout, version } };
    },

    'DELETE /api/me/lists/{list}': async ({ scope, actor, principal, params: { list } }) => {
      const { id } = personOf(principal);
      await db.write(scope, actor, (tx) => deleteLayout(tx, id, list));
      return { success: true, data: null };
    },
  };
}
