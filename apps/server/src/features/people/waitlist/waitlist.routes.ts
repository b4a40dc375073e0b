import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { createSendLink } from '../invitations/send-link.ts';
import { approveEntry, declineEntry } from './waitlist.service.ts';
import { joinWaitlist, listWaiting } from './waitlist.store.ts';

type WaitlistRoutes = Pick<
  Handlers,
  'POST /api/waitlist' | 'GET /api/waitlist' | `POST /api/waitlist/{id}/${'approve' | 'decline'}`
>;

const DEFAULT_PAGE = 25;

/** Routes for people who ask for access. A hosted identity service has a list of its own. */
export function createWaitlistRoutes(deps: IdentityDeps): WaitlistRoutes {
  const { db, identity, now } = deps;
  const sendLink = createSendLink(deps);
  return {
    'POST /api/waitlist': async ({ body, requestId }) => {
      if (identity.kind !== 'embedded') throw new Refusal('not_found');
      const actor = { kind: 'system', id: 'waitlist', name: 'Waitlist', requestId } as const;
      const isTaken = await db.write(WHOLE_SCOPE, actor, (tx) => joinWaitlist(tx, body, now()));
      if (!isTaken) throw new Refusal('waitlist_full');
      return { success: true, data: null };
    },

    'GET /api/waitlist': async ({ scope, query }) => {
      const page = { limit: query.limit ?? DEFAULT_PAGE, offset: query.offset ?? 0 };
      const { data, total } = await db.read(scope, (tx) => listWaiting(tx, page));
      return { success: true, data, meta: { total } };
    },

    'POST /api/waitlist/{id}/approve': async ({ scope, actor, params: { id }, body, reply }) => {
      const { email, ...invited } = await retryConflicts(() =>
        db.write(scope, actor, (tx) => approveEntry(tx, id, body.provider_access, now())),
      );
      return sendLink(email, invited, { actor, reply });
    },

    'POST /api/waitlist/{id}/decline': async ({ scope, actor, params: { id } }) => {
      await db.write(scope, actor, (tx) => declineEntry(tx, id, now()));
      return { success: true, data: { id } };
    },
  };
}
