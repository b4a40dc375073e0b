import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { type HostedDirectory, HostedError } from '../../../platform/identity/hosted/hosted-directory.ts';
import { endHostedSession } from '../../../platform/identity/hosted/sessions.store.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { importWaiting } from '../waitlist/waitlist.store.ts';
import {
  type ClaimedEvents,
  claimHostedEvents,
  finishHostedEvents,
  postponeHostedEvents,
} from './events.store.ts';
import { CLERK_ACTOR, type SyncDeps, syncHostedUser } from './sync-user.ts';

/** Longer than all requests of one read. */
const LEASE_MS = 60_000;
const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 10 * 60_000;
/** About two hours. */
const MOST_ATTEMPTS = 20;

export interface EventDeps extends SyncDeps {
  directory: HostedDirectory;
}

/** Handles the events of one subject. Returns whether more may be waiting. */
export async function takeHostedEventTurn(deps: EventDeps): Promise<boolean> {
  const { db, log, now } = deps;
  const claimed = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    claimHostedEvents(tx, { at: now(), leaseMs: LEASE_MS }),
  );
  if (!claimed) return false;
  const { ids, subject, attempts } = claimed;
  try {
    const problem = await handle(deps, claimed);
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      finishHostedEvents(tx, ids, { state: problem ? 'ignored' : 'handled', problem, at: now() }),
    );
  } catch (error) {
    if (!(error instanceof HostedError)) throw error;
    const { code } = error;
    const isFinal = attempts + 1 >= MOST_ATTEMPTS;
    log[isFinal ? 'error' : 'warn'](
      { err: error, subject, events: ids.length },
      'an event of the identity service failed',
    );
    const dueAt = new Date(now().getTime() + Math.min(FIRST_DELAY_MS * 2 ** attempts, LONGEST_DELAY_MS));
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      isFinal
        ? finishHostedEvents(tx, ids, { state: 'failed', problem: code, at: now() })
        : postponeHostedEvents(tx, ids, { problem: code, dueAt }),
    );
  }
  return true;
}

/** @returns why the events changed nothing; null: they are handled */
async function handle(
  deps: EventDeps,
  { subject: { kind, id, hostedId }, happenedAt }: ClaimedEvents,
): Promise<string | null> {
  const { db, directory, now } = deps;
  switch (kind) {
    case 'user': {
      const outcome = await syncHostedUser(deps, id);
      return outcome === 'refused' ? 'not_invited' : null;
    }
    case 'session':
      // An end is final, so nothing has to be read again, and it holds while the service cannot be reached.
      await db.write(WHOLE_SCOPE, CLERK_ACTOR, (tx) =>
        endHostedSession(tx, { sessionId: id, hostedId: hostedId ?? '' }, now()),
      );
      return null;
    case 'ended_sessions':
      await directory.endSessions(id, happenedAt);
      return null;
    case 'waitlist': {
      const waiting = await directory.listWaiting();
      await db.write(WHOLE_SCOPE, CLERK_ACTOR, (tx) => importWaiting(tx, waiting));
      return null;
    }
  }
}
