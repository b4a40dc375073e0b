import type { CallParsed } from '@copydesk/contract';
import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../platform/db/database.ts';
import { deleteInBatches } from '../../platform/db/delete-in-batches.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';

type Mark = CallParsed<'PUT /api/attention/mark'>['body'];

/** Who has the item from now on; null: no person. Undefined: unchanged. */
export type Taker = { id: string; name: string } | null | undefined;

/**
 * Notes what a person did about an item, unless another person did something about it meanwhile.
 * @param taker see `Taker`: handing over and taking end a sleep
 * @returns the new version; null: the item has another version than the author saw
 */
export async function saveMark(
  tx: WriteTx,
  { kind, subject, provider_id, cause, version, act }: Mark,
  taker: Taker,
): Promise<number | null> {
  const isAsleep = act.kind === 'snooze';
  const until = isAsleep ? act.until : null;
  const reason = isAsleep ? act.reason : null;
  const keeps = taker === undefined;
  const { rows } = await sql<{ version: number }>`
    INSERT INTO attention_mark AS m (kind, subject, provider_id, taken_by_id, taken_by, taken_at, snoozed_until,
      snoozed_by, snooze_reason, snoozed_cause)
    SELECT ${kind}, ${subject}, ${provider_id}::uuid, ${taker?.id ?? null}, ${taker?.name ?? null},
      CASE WHEN ${taker?.id ?? null}::text IS NOT NULL THEN now() END, ${until}::timestamptz,
      ${isAsleep ? tx.actor.name : null}, ${reason}, ${isAsleep ? cause : null}
    WHERE ${version}::int = 0 OR EXISTS (SELECT FROM attention_mark e WHERE e.kind = ${kind} AND e.subject = ${subject}
      AND e.provider_id IS NOT DISTINCT FROM ${provider_id}::uuid)
    ON CONFLICT ON CONSTRAINT attention_mark_once DO UPDATE SET
      taken_by_id = CASE WHEN ${keeps}::boolean THEN m.taken_by_id ELSE excluded.taken_by_id END,
      taken_by = CASE WHEN ${keeps}::boolean THEN m.taken_by ELSE excluded.taken_by END,
      taken_at = CASE WHEN ${keeps}::boolean THEN m.taken_at ELSE excluded.taken_at END,
      snoozed_until = excluded.snoozed_until, snoozed_by = excluded.snoozed_by,
      snooze_reason = excluded.snooze_reason, snoozed_cause = excluded.snoozed_cause,
      marked_at = now(), version = m.version + 1
      WHERE m.version = ${version}
    RETURNING m.version`.execute(tx.sql);
  return rows[0]?.version ?? null;
}

/** Older marks do not affect the list, and the audit has them. */
export const MARK_DAYS = 90;

/** Removes the marks that the list leaves out. @returns the number of deleted rows */
export async function pruneMarks({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const before = new Date(now().getTime() - MARK_DAYS * 86_400_000);
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM attention_mark WHERE id IN (
          SELECT m.id FROM attention_mark m WHERE m.marked_at < ${before} ORDER BY m.marked_at LIMIT ${limit})`.execute(
        tx.sql,
      );
      return Number(numAffectedRows);
    }),
  );
}
