import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/log/log.ts';
import { listMismatches } from './mismatches.views.ts';

const RECENT_MS = 24 * 3_600_000;
/** A look at everything reads every posting there is. */
const FULL_TIMEOUT_MS = 600_000;

/**
 * Holds the ledger against itself and reports what does not agree. It corrects nothing: a ledger that mends itself
 * hides what broke it.
 * @param reach `recent`: what was posted within a day; `all`: everything there is
 * @returns how many mismatches there are
 */
export async function reconcileLedger(
  { db, log, now }: { db: Database; log: Logger; now: () => Date },
  reach: 'recent' | 'all',
): Promise<number> {
  const since = reach === 'recent' ? new Date(now().getTime() - RECENT_MS) : null;
  const mismatches = await db.read(WHOLE_SCOPE, async (tx) => {
    if (!since)
      await sql`SELECT set_config('statement_timeout', ${`${FULL_TIMEOUT_MS}`}, true)`.execute(tx.sql);
    return listMismatches(tx, since);
  });
  if (mismatches.length > 0) log.error({ reach, mismatches }, 'the ledger does not agree with itself');
  return mismatches.length;
}
