import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';

const ACTOR = { kind: 'system', id: 'pruning', name: 'Pruning' } as const;

/**
 * Deletes expired rows: sessions, one-time secrets, used codes, old failures. Every reader checks the expiry, so this
 * only keeps the tables small.
 * @returns the number of deleted rows
 */
export async function pruneIdentity({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const at = now();
  return db.write(WHOLE_SCOPE, ACTOR, async (tx) => {
    const deleted = await Promise.all([
      sql`DELETE FROM identity.session WHERE expires_at <= ${at}`.execute(tx.sql),
      sql`DELETE FROM identity.verification WHERE expires_at <= ${at}`.execute(tx.sql),
      sql`DELETE FROM identity.used_totp_code WHERE expires_at <= ${at}`.execute(tx.sql),
      sql`DELETE FROM identity.sign_in_failure WHERE forget_at <= ${at}`.execute(tx.sql),
    ]);
    return deleted.reduce((sum, { numAffectedRows }) => sum + Number(numAffectedRows ?? 0), 0);
  });
}
