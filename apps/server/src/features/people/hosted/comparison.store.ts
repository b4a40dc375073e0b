import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

/**
 * Begins a comparison when the last one began long enough ago, or goes on with one that has not ended.
 * @returns the user after whom it goes on, an empty text for the first; null: nothing is due
 */
export async function resumeComparison(
  tx: WriteTx,
  { at, everyMs }: { at: Date; everyMs: number },
): Promise<string | null> {
  const { rows } = await sql<{ after_hosted_id: string }>`
    INSERT INTO identity.hosted_comparison AS c (began_at, after_hosted_id) VALUES (${at}, '')
    ON CONFLICT (is_only) DO UPDATE SET
      began_at = CASE WHEN c.ended_at IS NULL THEN c.began_at ELSE ${at} END,
      after_hosted_id = CASE WHEN c.ended_at IS NULL THEN c.after_hosted_id ELSE '' END,
      ended_at = NULL
    WHERE c.ended_at IS NULL OR c.began_at <= ${new Date(at.getTime() - everyMs)}
    RETURNING after_hosted_id`.execute(tx.sql);
  return rows[0]?.after_hosted_id ?? null;
}

/** Notes that users up to this id have been compared. */
export async function recordCompared(tx: WriteTx, hostedId: string): Promise<void> {
  await sql`UPDATE identity.hosted_comparison SET after_hosted_id = ${hostedId}`.execute(tx.sql);
}

export async function endComparison(tx: WriteTx, at: Date): Promise<void> {
  await sql`UPDATE identity.hosted_comparison SET ended_at = ${at}`.execute(tx.sql);
}
