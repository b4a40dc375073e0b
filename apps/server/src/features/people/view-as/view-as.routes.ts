import type { Handlers } from '../../../platform/http/handlers.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { beginView, endView } from './view-as.service.ts';

type ViewRoutes = Pick<Handlers, 'POST /api/users/{id}/view-as' | 'DELETE /api/view-as'>;

/** Routes for reading with the eyes of another user. */
export function createViewRoutes({ db, now }: Pick<IdentityDeps, 'db' | 'now'>): ViewRoutes {
  return {
    'POST /api/users/{id}/view-as': async ({ scope, actor, params: { id } }) => {
      const expiresAt = await db.write(scope, actor, (tx) => beginView(tx, id, now()));
      return { success: true, data: { id, expires_at: expiresAt.toISOString() } };
    },
    'DELETE /api/view-as': async ({ scope, actor }) => {
      await db.write(scope, actor, endView);
      return { success: true, data: null };
    },
  };
}
