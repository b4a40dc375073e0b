import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { type HostedDirectory, HostedError } from '../../../platform/identity/hosted/hosted-directory.ts';
import type { Sync } from '../../../platform/work/sync-jobs.ts';
import { importWaiting } from '../waitlist/waitlist.store.ts';
import { CLERK_ACTOR, type SyncDeps, syncHostedUser } from './sync-user.ts';

/** Reads what an event of Clerk was about, and ends sessions there that were ended here. */
export function createClerkSync(deps: SyncDeps & { directory: HostedDirectory }): Sync {
  const { db, directory } = deps;
  const kinds: Record<string, (id: string, since: Date | undefined) => Promise<unknown>> = {
    user: (id) => syncHostedUser(deps, id),
    // Sessions that began before this time. Without a time, none are meant.
    ended_sessions: async (id, since) => since && directory.endSessions(id, since),
    async waitlist() {
      const waiting = await directory.listWaiting();
      await db.write(WHOLE_SCOPE, CLERK_ACTOR, (tx) => importWaiting(tx, waiting));
    },
  };
  return async ({ kind, id, since }) => {
    const read = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (!read) throw new Error(`this version reads no ${kind}`);
    try {
      await read(id, since);
      return null;
    } catch (error) {
      if (!(error instanceof HostedError)) throw error;
      return error.code;
    }
  };
}
