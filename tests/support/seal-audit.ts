import pino from 'pino';
import type { AuditKeys } from '../../apps/server/src/platform/audit/entry-hashes.ts';
import { takeSealingTurn } from '../../apps/server/src/platform/audit/seal.ts';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import { AUDIT_KEY } from './test-keys.ts';

const log = pino({ level: 'silent' });

/** Seals every entry of the audit that waits, as a worker does within a second. */
export async function sealAudit(
  db: Database,
  auditKeys: AuditKeys = { chain: AUDIT_KEY, worker: null },
): Promise<void> {
  while (await takeSealingTurn({ db, auditKeys, log }));
}
