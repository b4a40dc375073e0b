import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../db/database.ts';
import { requestSync } from '../../work/sync-jobs.ts';
import type { ListedSession } from '../embedded/accounts.store.ts';

/** A session unseen for this long is not counted: the service ends its own after a week by default. */
const COUNTED_MS = 7 * 86_400_000;
const KEPT_MS = 60 * 86_400_000;

/** Notes that a session has ended at the service, known or not. */
export async function endHostedSession(
  tx: WriteTx,
  { sessionId, hostedId }: { sessionId: string; hostedId: string },
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO identity.hosted_session AS s (id, hosted_id, first_seen_at, ended_at)
    VALUES (${sessionId}, ${hostedId}, ${at}, ${at})
    ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at WHERE s.ended_at IS NULL`.execute(tx.sql);
}

/**
 * Ends every session of a person here, at once, and has a worker end them at the service. Nothing without a link.
 * @returns the number of ended sessions
 */
export async function endHostedSessions(tx: WriteTx, userId: string, at: Date): Promise<number> {
  const { rows } = await sql<{ hosted_id: string; ended: number }>`
    WITH linked AS (
      UPDATE identity.hosted_user SET sessions_end_at = ${at} WHERE user_id::text = ${userId} RETURNING hosted_id
    ), ended AS (
      UPDATE identity.hosted_session s SET ended_at = ${at} FROM linked
      WHERE s.hosted_id = linked.hosted_id AND s.ended_at IS NULL RETURNING s.first_seen_at
    )
    SELECT hosted_id, (SELECT count(*)::int FROM ended
      WHERE first_seen_at > ${new Date(at.getTime() - COUNTED_MS)}) AS ended
    FROM linked`.execute(tx.sql);
  const [linked] = rows;
  if (!linked) return 0;
  await requestSync(tx, 'clerk-sync', { kind: 'ended_sessions', id: linked.hosted_id, since: at });
  return linked.ended;
}

/** The open sessions of a person at the service that called us lately. It does not say from where. */
export async function listHostedSessions(tx: Tx, userId: string, ownId: string): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    SELECT s.id, app.iso(s.first_seen_at) AS started_at, NULL AS expires_at, NULL AS address, NULL AS browser,
      s.id = ${ownId} AS is_own
    FROM identity.hosted_user h JOIN identity.hosted_session s ON s.hosted_id = h.hosted_id
    WHERE h.user_id = ${userId}::uuid AND s.ended_at IS NULL
      AND s.first_seen_at > now() - ${COUNTED_MS} * interval '1 millisecond'
    ORDER BY s.first_seen_at DESC, s.id LIMIT 100`.execute(tx.sql);
  return rows;
}

/** Deletes sessions of long ago. One that is still open returns with its next call. @returns the number of rows */
export async function pruneHostedSessions(tx: WriteTx, at: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM identity.hosted_session WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM identity.hosted_session WHERE first_seen_at < ${new Date(at.getTime() - KEPT_MS)}
        AND coalesce(ended_at, first_seen_at) < ${new Date(at.getTime() - KEPT_MS)} LIMIT ${limit}))`.execute(
    tx.sql,
  );
  return Number(numAffectedRows ?? 0);
}
