import type { Reveal, RevealBurst } from '@copydesk/domain/access';
import { sql } from 'kysely';
import { type Database, type Tx, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { deleteInBatches } from '../../../platform/db/delete-in-batches.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';

/** Longer than any limit looks back; the audit keeps reveals forever. */
const KEPT_DAYS = 30;

/** The reveals of the caller since a time. Locks out the person's other transactions until this one ends. */
export async function lockReveals(tx: WriteTx, since: Date): Promise<Reveal[]> {
  const { id } = tx.actor;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`copydesk.reveals ${id}`}, 0))`.execute(tx.sql);
  const { rows } = await sql<Reveal>`
    SELECT account_id AS "accountId", revealed_at AS at, reason IS NOT NULL AS "hasReason", burst
    FROM credential_reveal WHERE user_id = ${id} AND revealed_at > ${since}`.execute(tx.sql);
  return rows;
}

export async function insertReveal(
  tx: WriteTx,
  {
    accountId,
    at,
    reason,
    burst,
  }: { accountId: string; at: Date; reason: string | null; burst: RevealBurst | null },
): Promise<void> {
  await sql`
    INSERT INTO credential_reveal (user_id, account_id, revealed_at, reason, burst)
    VALUES (${tx.actor.id}, ${accountId}, ${at}, ${reason}, ${burst})`.execute(tx.sql);
}

/** The addresses of the super admins who can sign in. */
export async function listSuperAdminEmails(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    SELECT email FROM identity.person WHERE super AND is_active AND disabled_at IS NULL ORDER BY email`.execute(
    tx.sql,
  );
  return rows.map(({ email }) => email);
}

/** Deletes reveals that decide nothing any more. @returns the number of deleted rows */
export function pruneReveals({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const before = new Date(now().getTime() - KEPT_DAYS * 86_400_000);
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM credential_reveal WHERE ctid = ANY (ARRAY(
          SELECT r.ctid FROM credential_reveal r WHERE r.revealed_at < ${before} LIMIT ${limit}))`.execute(
        tx.sql,
      );
      return Number(numAffectedRows);
    }),
  );
}
