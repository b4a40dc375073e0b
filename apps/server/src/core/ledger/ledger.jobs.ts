import { limitStatements } from '../../platform/db/begin.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { listMismatches } from './mismatches.views.ts';
import { listPoolMismatches } from './pool-mismatches.views.ts';

const RECENT_MS = 24 * 3_600_000;
/** A full check reads every posting. */
const FULL_TIMEOUT_MS = 600_000;

/**
 * Checks the ledger for consistency and reports mismatches. It corrects nothing: a self-correcting ledger hides the
 * cause.
 * @param reach `recent`: postings of the last day; `all`: everything
 * @returns the number of mismatches
 */
export async function reconcileLedger(
  { db, log, now }: { db: Database; log: Logger; now: () => Date },
  reach: 'recent' | 'all',
): Promise<number> {
  const since = reach === 'recent' ? new Date(now().getTime() - RECENT_MS) : null;
  const mismatches = await db.read(WHOLE_SCOPE, async (tx) => {
    if (!since) await limitStatements(tx, FULL_TIMEOUT_MS);
    return [...(await listMismatches(tx, since)), ...(await listPoolMismatches(tx, since))];
  });
  if (mismatches.length > 0) log.error({ reach, mismatches }, 'the ledger is inconsistent');
  return mismatches.length;
}
