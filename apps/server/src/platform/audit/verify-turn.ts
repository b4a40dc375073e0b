import { type Database, WHOLE_SCOPE } from '../db/database.ts';
import type { Logger } from '../observe/log.ts';
import { WORKER_ACTOR } from '../work/worker-actor.ts';
import type { AuditKeys } from './entry-hashes.ts';
import { claimVerification, finishVerification } from './verifications.store.ts';
import { verifyAudit } from './verify.ts';

/** Makes the requested check of the whole chain, if there is one, and stores the result. */
export async function takeVerificationTurn({
  db,
  auditKeys,
  log,
}: {
  db: Database;
  auditKeys: AuditKeys;
  log: Logger;
}): Promise<boolean> {
  const id = await db.write(WHOLE_SCOPE, WORKER_ACTOR, claimVerification);
  if (id === null) return false;
  const verdict = await db.read(WHOLE_SCOPE, (tx) => verifyAudit(tx.sql, auditKeys));
  if (verdict.intact && verdict.foreign)
    log.error(verdict, "audit entries under the worker's name are without the worker's key");
  else if (verdict.intact) log.info(verdict, 'audit chain intact');
  else log.error(verdict, 'audit chain broken');
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => finishVerification(tx, id, verdict));
  return false;
}
