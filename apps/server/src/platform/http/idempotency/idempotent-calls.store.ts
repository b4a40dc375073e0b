import { sql } from 'kysely';
import { type Database, type Tx, WHOLE_SCOPE, type WriteTx } from '../../db/database.ts';
import { deleteInBatches } from '../../db/delete-in-batches.ts';

/** The identity of a call: caller, route and key. */
export interface NamedCall {
  /** Kind and id of the caller. */
  caller: string;
  /** The contract's key of the call. */
  route: string;
  key: string;
}

export interface StoredCall {
  requestHash: Buffer;
  status: number;
  body: string;
}

const SYSTEM = { kind: 'system', id: 'worker', name: 'worker' } as const;

/**
 * Locks the call until the transaction ends; false when another transaction holds it. Also opens the caller's own rows.
 */
export async function takeCall(tx: WriteTx, { caller, route, key }: NamedCall): Promise<boolean> {
  const { rows } = await sql<{ is_taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`copydesk.call ${caller} ${route} ${key}`}, 0)) AS is_taken,
      set_config('copydesk.caller', ${caller}, true)`.execute(tx.sql);
  return rows[0]?.is_taken ?? false;
}

/**
 * The stored answer of a call, if there is one and it has not expired. Read it in a statement after the one that takes
 * the call.
 */
export async function findKept(
  tx: Tx,
  { caller, route, key }: NamedCall,
  at: Date,
): Promise<StoredCall | null> {
  const { rows } = await sql<StoredCall>`
    SELECT request_hash AS "requestHash", status, body FROM idempotent_call
    WHERE caller = ${caller} AND route = ${route} AND key = ${key} AND expires_at > ${at}`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function keepCall(
  tx: WriteTx,
  { caller, route, key }: NamedCall,
  { requestHash, status, body }: StoredCall,
  expiresAt: Date,
): Promise<void> {
  // Removes an expired record that was not purged yet.
  await sql`DELETE FROM idempotent_call WHERE caller = ${caller} AND route = ${route} AND key = ${key}`.execute(
    tx.sql,
  );
  await sql`
    INSERT INTO idempotent_call (caller, route, key, request_hash, status, body, expires_at)
    VALUES (${caller}, ${route}, ${key}, ${requestHash}, ${status}, ${body}, ${expiresAt})`.execute(tx.sql);
}

/**
 * Deletes expired answers.
 * @returns the number of deleted rows
 */
export function purgeIdempotentCalls(db: Database, now: () => Date): Promise<number> {
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, SYSTEM, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM idempotent_call WHERE ctid = ANY (ARRAY(
          SELECT c.ctid FROM idempotent_call c WHERE c.expires_at <= ${now()} LIMIT ${limit}))`.execute(
        tx.sql,
      );
      return Number(numAffectedRows);
    }),
  );
}
