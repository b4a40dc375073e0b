import { isWithdrawn, readHostedGrants } from '@copydesk/domain/access';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import {
  type HostedDirectory,
  HostedError,
  type ListedUser,
} from '../../../platform/identity/hosted/hosted-directory.ts';
import { type ComparedLink, listLinksAfter } from '../../../platform/identity/hosted/people.store.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { importWaiting } from '../waitlist/waitlist.store.ts';
import { endComparison, recordCompared, resumeComparison } from './comparison.store.ts';
import { CLERK_ACTOR, type SyncDeps, syncHostedUser } from './sync-user.ts';

const EVERY_MS = 6 * 3_600_000;
/** As many as the service lists in one answer. */
const PAGE = 100;
/** Maximum number of pages of one run; the next run, ten minutes later, continues. */
const MOST_PAGES = 20;
/** More missing people than this, and than half of a page, suggest the keys of another instance. */
const FEW = 3;

export interface ComparisonDeps extends SyncDeps {
  directory: Pick<HostedDirectory, 'readUser' | 'listUsers' | 'listWaiting'>;
  page?: number;
  mostPages?: number;
}

/**
 * Looks for changes whose webhooks were lost: people who are deleted, banned or have fewer grants at the
 * identity service. Each is read again as after a webhook, so a comparison also only takes away. It begins
 * every six hours and can stop after any page, because of the limit of a run or an unreachable service; the
 * next run continues.
 * @returns how many people lost something
 */
export async function compareHostedUsers(deps: ComparisonDeps): Promise<number> {
  const { db, directory, log, now, page = PAGE, mostPages = MOST_PAGES } = deps;
  const begun = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    resumeComparison(tx, { at: now(), everyMs: EVERY_MS }),
  );
  if (begun === null) return 0;
  let after = begun;
  let lost = 0;
  try {
    if (after === '') {
      const waiting = await directory.listWaiting();
      await db.write(WHOLE_SCOPE, CLERK_ACTOR, (tx) => importWaiting(tx, waiting));
    }
    for (let pages = 0; pages < mostPages; pages += 1) {
      const links = await db.read(WHOLE_SCOPE, (tx) => listLinksAfter(tx, after, page));
      const last = links.at(-1);
      if (!last) {
        await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => endComparison(tx, now()));
        break;
      }
      const suspects = findSuspects(links, await directory.listUsers(links.map(({ hostedId }) => hostedId)));
      if (suspects === null) {
        log.error(
          { page: links.length },
          'most people are unknown to the identity service: are its keys right?',
        );
        break;
      }
      for (const hostedId of suspects) {
        if ((await syncHostedUser(deps, hostedId)) !== 'withdrawn') continue;
        lost += 1;
        log.warn(
          { hostedId },
          'a person lost access: webhooks of the identity service were lost or are late',
        );
      }
      after = last.hostedId;
      await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => recordCompared(tx, last.hostedId));
    }
  } catch (error) {
    if (!(error instanceof HostedError)) throw error;
    log.warn({ err: error }, 'the comparison with the identity service was broken off');
  }
  return lost;
}

/**
 * Users to read again. Includes members of organisations where only a membership can have granted something,
 * because lists do not contain memberships.
 * @returns null: implausibly many are missing
 */
function findSuspects(links: readonly ComparedLink[], listed: readonly ListedUser[]): string[] | null {
  const users = new Map(listed.map((user) => [user.id, user]));
  const enabled = links.filter(({ isDisabled }) => !isDisabled);
  const missing = enabled.filter(({ hostedId }) => !users.has(hostedId)).length;
  if (missing > FEW && missing * 2 > enabled.length) return null;
  return links.flatMap(({ hostedId, granted, isDisabled }) => {
    const user = users.get(hostedId);
    const isSuspect = user
      ? (user.isBanned && !isDisabled) || isWithdrawn(granted, readHostedGrants(user.metadata, []))
      : !isDisabled;
    return isSuspect ? [hostedId] : [];
  });
}
