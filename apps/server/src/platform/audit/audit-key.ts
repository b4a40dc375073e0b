import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createSecretFile, readSecretFile } from '../crypto/secret-file.ts';
import { type Database, WHOLE_SCOPE } from '../db/database.ts';
import type { Statements } from '../db/statements.ts';
import { StartError } from '../process/start-error.ts';
import { findFirst, findHead, hasItsHash } from './chain.views.ts';

/**
 * The key of the audit chain: from the configuration, from `<dataDir>/secrets/audit-key`, or generated there on the
 * first start.
 * @throws when entries exist but their key is gone: a chain under a new key is indistinguishable from a forged one
 */
export async function loadAuditKey(options: {
  statements: Statements;
  configured: string | undefined;
  dataDir: string | undefined;
}): Promise<Buffer> {
  const { statements, configured, dataDir } = options;
  if (configured) return Buffer.from(configured);
  if (!dataDir) throw new StartError('There is no audit key: set AUDIT_KEY (32 characters or more, random).');
  const path = join(dataDir, 'secrets', 'audit-key');
  const stored = await readSecretFile(path);
  if (stored !== null) return Buffer.from(stored);
  const { rows } = await statements.query<{ seq: string | null }>('SELECT seq FROM app.audit_head()');
  if (rows[0]?.seq)
    throw new StartError(
      `The database has audit entries, but their key ${path} is gone. Restore the file from a backup or set AUDIT_KEY to its content.`,
    );
  return Buffer.from(await createSecretFile(path, randomBytes(48).toString('base64url')));
}

/**
 * Checks that this database's chain was written with the key. Under another key every further entry would look forged.
 * If only the head does not match, the chain was tampered with: the audit check reports that, and the start goes on.
 * @throws when neither the newest nor the first entry has the hash that the key gives it
 */
export async function requireAuditKey(db: Database, key: Buffer): Promise<void> {
  const entries = await db.read(WHOLE_SCOPE, async (tx) => [await findHead(tx.sql), await findFirst(tx.sql)]);
  if (entries.some((entry) => entry === null || hasItsHash(key, entry))) return;
  throw new StartError(
    'The audit entries of this database were written with another audit key. Restore AUDIT_KEY, or the file secrets/audit-key of the data folder, from a backup.',
  );
}
