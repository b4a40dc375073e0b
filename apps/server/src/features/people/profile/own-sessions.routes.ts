import type { Handlers } from '../../../platform/http/handlers.ts';
import { endSession, endSessionsBut } from '../../../platform/identity/embedded/accounts.store.ts';
import { listSessions } from '../../../platform/identity/sessions.store.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { personOf } from '../sign-in/proof.ts';

type SessionRoutes = Pick<Handlers, `${'GET' | 'DELETE'} /api/me/sessions` | 'DELETE /api/me/sessions/{id}'>;

/** A hosted identity service has the sessions on its own pages. */
export function createHostedSessionRoutes(): SessionRoutes {
  const refuse = async () => {
    throw new Refusal('not_found');
  };
  return {
    'GET /api/me/sessions': refuse,
    'DELETE /api/me/sessions': refuse,
    'DELETE /api/me/sessions/{id}': refuse,
  };
}

/** Routes for the sessions of the caller's own account. */
export function createOwnSessionRoutes({ db, identity }: IdentityDeps): SessionRoutes {
  return {
    'GET /api/me/sessions': async ({ scope, principal }) => {
      const { id, sessionId } = personOf(principal);
      return { success: true, data: await db.read(scope, (tx) => listSessions(tx, id, sessionId)) };
    },

    'DELETE /api/me/sessions': async ({ scope, actor, principal }) => {
      const { id, sessionId } = personOf(principal);
      const ended = await db.write(scope, actor, async (tx) => {
        const count = await endSessionsBut(tx, id, sessionId);
        if (count > 0)
          tx.audit({ action: 'user.sessions_ended', target: { kind: 'user', id }, after: { ended: count } });
        return count;
      });
      identity.forget(id);
      return { success: true, data: { ended } };
    },

    'DELETE /api/me/sessions/{id}': async ({ scope, actor, principal, params }) => {
      const { id } = personOf(principal);
      const ended = await db.write(scope, actor, async (tx) => {
        const count = await endSession(tx, id, params.id);
        if (count > 0)
          tx.audit({ action: 'user.sessions_ended', target: { kind: 'user', id }, after: { ended: count } });
        return count;
      });
      identity.forget(id);
      return { success: true, data: { ended } };
    },
  };
}
