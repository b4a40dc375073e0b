import type { HostedEvent } from '@copydesk/contract/people';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { type EventSubject, insertHostedEvent } from './events.store.ts';
import { CLERK_ACTOR } from './sync-user.ts';

/** The events after which something may be different. docs/hosted-sign-in.md lists them for the operator. */
const SUBJECTS: Record<string, (data: HostedEvent['data']) => EventSubject | null> = {
  'user.created': userItself,
  'user.updated': userItself,
  'user.deleted': userItself,
  'session.ended': sessionOf,
  'session.removed': sessionOf,
  'session.revoked': sessionOf,
  'organizationMembership.created': memberOf,
  'organizationMembership.updated': memberOf,
  'organizationMembership.deleted': memberOf,
  'waitlistEntry.created': () => ({ kind: 'waitlist', id: 'all' }),
};

interface Received {
  event: HostedEvent;
  messageId: string | null;
  requestId: string;
}

/** Stores what Clerk sends, and does nothing else: a worker reads the user again. */
export const createClerkWebhook = ({ db }: { db: Database }) => ({
  async 'POST /api/webhooks/clerk'({ event, messageId, requestId }: Received) {
    if (messageId === null) throw new Refusal('invalid_signature');
    const { type, timestamp, data } = event;
    const subject = Object.hasOwn(SUBJECTS, type) ? (SUBJECTS[type]?.(data) ?? null) : null;
    const isNew = await db.write(WHOLE_SCOPE, { ...CLERK_ACTOR, requestId }, (tx) =>
      insertHostedEvent(tx, { id: messageId, type, happenedAt: new Date(timestamp), subject }),
    );
    return { success: true as const, is_repeated: !isNew };
  },
});

const user = (id: string | null | undefined): EventSubject | null => (id ? { kind: 'user', id } : null);

function userItself({ id }: HostedEvent['data']) {
  return user(id);
}

function memberOf({ public_user_data: member }: HostedEvent['data']) {
  return user(member?.user_id);
}

function sessionOf({ id, user_id: hostedId }: HostedEvent['data']): EventSubject | null {
  return id && hostedId ? { kind: 'session', id, hostedId } : null;
}
