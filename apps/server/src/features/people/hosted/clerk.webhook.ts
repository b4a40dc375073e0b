import type { HostedEvent } from '@copydesk/contract/people';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { endHostedSession } from '../../../platform/identity/hosted/sessions.store.ts';
import { requestSync, type SyncSubject } from '../../../platform/work/sync-jobs.ts';
import { CLERK_ACTOR } from './sync-user.ts';

type Data = HostedEvent['data'];

/** The events after which a user may be different. docs/hosted-sign-in.md lists all of them for the operator. */
const SUBJECTS: Record<string, (data: Data) => SyncSubject | null> = {
  'user.created': userItself,
  'user.updated': userItself,
  'user.deleted': userItself,
  'organizationMembership.created': memberOf,
  'organizationMembership.updated': memberOf,
  'organizationMembership.deleted': memberOf,
  'waitlistEntry.created': () => ({ kind: 'waitlist', id: 'all' }),
};
const ENDS_OF_SESSIONS: ReadonlySet<string> = new Set([
  'session.ended',
  'session.removed',
  'session.revoked',
]);

/** Requests that a worker read the user again, because the content of an event may be outdated. */
export const createClerkWebhook = ({ db, now }: { db: Database; now: () => Date }) => ({
  async 'POST /api/webhooks/clerk'({ event, requestId }: { event: HostedEvent; requestId: string }) {
    const { type, data } = event;
    const subject = Object.hasOwn(SUBJECTS, type) ? SUBJECTS[type]?.(data) : null;
    const session = ENDS_OF_SESSIONS.has(type) ? sessionOf(data) : null;
    if (subject || session)
      await db.write(WHOLE_SCOPE, { ...CLERK_ACTOR, requestId }, async (tx) => {
        if (subject) await requestSync(tx, 'clerk-sync', subject);
        // An end is final, so it takes effect at once without a read, even while Clerk cannot be reached.
        if (session) await endHostedSession(tx, session, now());
      });
    return { success: true as const };
  },
});

const user = (id: string | null | undefined): SyncSubject | null => (id ? { kind: 'user', id } : null);

function userItself({ id }: Data) {
  return user(id);
}

function memberOf({ public_user_data: member }: Data) {
  return user(member?.user_id);
}

function sessionOf({ id, user_id: hostedId }: Data): { sessionId: string; hostedId: string } | null {
  return id && hostedId ? { sessionId: id, hostedId } : null;
}
