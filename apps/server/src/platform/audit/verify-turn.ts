import { type Database, WHOLE_SCOPE } from '../db/database.ts';
import { WORKER_ACTOR } from '../jobs/worker-actor.ts';
import type { Logger } from '../log/log.ts';
import { claimVerification, finishVerification } from './verifications.store.ts';
import { verifyAudit } from './verify.ts';

/** Makes the requested check of the whole chain, if there is one, and stores the result. */
export async function takeVerificationTurn({
  db,
  auditKey,
  log,
}: {
  db: Database;
  auditKey: Buffer;
  log: Logger;
}): Promise<boolean> {
  const id = await db.write(WHOLE_SCOPE, WORKER_ACTOR, claimVerification);
  if (id === null) return false;
  const verdict = await db.read(WHOLE_SCOPE, (tx) => verifyAudit(tx.sql, auditKey));
  if (verdict.intact) log.info(verdict, 'audit chain intact');
  else log.error(verdict, 'audit chain broken');
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => finishVerification(tx, id, verdict));
  return false;
}
