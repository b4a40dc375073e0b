import { type Kysely, sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../db/database.ts';
import type { DB } from '../db/schema.ts';
import type { Logger } from '../observe/log.ts';
import { WORKER_ACTOR } from '../work/worker-actor.ts';
import { checkHashes, listUnsealed, sealedOf } from './chain.views.ts';
import { type AuditKeys, ownKey, ownSealHash, sealHash } from './entry-hashes.ts';

/** Seals of one transaction. */
const BATCH = 1_000;

/**
 * Seals the entries that wait, in the order of their numbers, while no other worker does. One that its own hash does not
 * fit is sealed as it is: the check of the chain goes on finding it.
 * @returns whether more may be waiting
 */
export async function takeSealingTurn({
  db,
  auditKeys: keys,
  log,
}: {
  db: Database;
  auditKeys: AuditKeys;
  log: Logger;
}): Promise<boolean> {
  if (!(await db.read(WHOLE_SCOPE, ({ sql: reading }) => isAnyUnsealed(reading)))) return false;
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, async ({ sql: writing }) => {
    const end = await beginSealing(writing);
    if (!end) return false;
    const entries = await listUnsealed(writing, BATCH);
    if (entries.length === 0) return false;
    const { keyedBy, key } = ownKey(keys);
    let { position, hash: previous } = end;
    const seals = entries.map((entry) => {
      const found = checkHashes(keys, entry);
      if (found === 'altered' || found === 'foreign')
        log.error({ seq: entry.seq, found }, 'an audit entry does not fit its own hash');
      position += 1n;
      const sealed = sealedOf(position, entry);
      const own = ownSealHash(key, previous, sealed);
      previous = sealHash(keys.chain, previous, own, sealed);
      return { seq: entry.seq, own, hash: previous };
    });
    await sql`SELECT app.seal_audit(${end.position}::bigint, ${seals.map(({ seq }) => seq)}::bigint[],
      ${seals.map(({ hash }) => hash)}::bytea[], ${keyedBy}, ${seals.map(({ own }) => own)}::bytea[])`.execute(
      writing,
    );
    return entries.length === BATCH;
  });
}

async function isAnyUnsealed(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql`SELECT FROM audit_unsealed LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Takes the turn. @returns where the chain ends; null when another worker has it */
async function beginSealing(db: Kysely<DB>): Promise<{ position: bigint; hash: Buffer } | null> {
  const { rows } = await sql<{ position: string | null; hash: Buffer | null }>`
    SELECT position, hash FROM app.begin_sealing()`.execute(db);
  const [end] = rows;
  return end?.position && end.hash ? { position: BigInt(end.position), hash: end.hash } : null;
}
