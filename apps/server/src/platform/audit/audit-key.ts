import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../db/database.ts';
import type { DB } from '../db/schema.ts';
import type { Statements } from '../db/statements.ts';
import { StartError } from '../process/start-error.ts';
import { createSecretFile, readSecretFile } from '../secrets/secret-file.ts';
import {
  checkHashes,
  checkSeal,
  findEndsOfWorkers,
  findFirst,
  findHash,
  findHead,
  findStart,
  listSeals,
  type SealedEntry,
} from './chain.views.ts';
import { type AuditKeys, CHAIN_START } from './entry-hashes.ts';

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
  const { rows } = await statements.query<{ is_called: boolean }>('SELECT is_called FROM audit_number');
  if (rows[0]?.is_called)
    throw new StartError(
      `The database has audit entries, but their key ${path} is gone. Restore the file from a backup or set AUDIT_KEY to its content.`,
    );
  return Buffer.from(await createSecretFile(path, randomBytes(48).toString('base64url')));
}

/** The file that `npm start` makes for the worker's key; installations with units have AUDIT_WORKER_KEY. */
const workerKeyFile = (dataDir: string) => join(dataDir, 'secrets', 'audit-worker-key');

/** Makes the worker's key in the data folder, where there is none. For `npm start`, before its worker. */
export async function createWorkerAuditKey(dataDir: string): Promise<void> {
  if ((await readSecretFile(workerKeyFile(dataDir))) === null)
    await createSecretFile(workerKeyFile(dataDir), randomBytes(48).toString('base64url'));
}

/** The key of the own hashes of workers' entries. Null: those entries are under the key of the chain, as an API's are. */
export async function loadWorkerAuditKey(options: {
  configured: string | undefined;
  dataDir: string | undefined;
}): Promise<Buffer | null> {
  const { configured, dataDir } = options;
  const text = configured ?? (dataDir === undefined ? null : await readSecretFile(workerKeyFile(dataDir)));
  return text === null ? null : Buffer.from(text);
}

/**
 * Checks that this database's chain was written with the keys. Under another key every further entry would look forged.
 * If only the head does not match, the chain was tampered with: the audit check reports that, and the start goes on.
 * @throws when neither end of the chain has the hash that its key gives it
 */
export async function requireAuditKeys(db: Database, keys: AuditKeys): Promise<void> {
  const [ends, ofWorkers] = await db.read(WHOLE_SCOPE, async ({ sql }) => [
    await checkEnds(sql, keys),
    keys.worker ? await findEndsOfWorkers(sql) : [],
  ]);
  if (ends.length > 0 && ends.every((found) => found === 'altered'))
    throw new StartError(
      'The audit entries of this database were written with another audit key. Restore AUDIT_KEY, or the file secrets/audit-key of the data folder, from a backup.',
    );
  if (ofWorkers.length > 0 && !ofWorkers.some((entry) => checkHashes(keys, entry) === 'right'))
    throw new StartError(
      'The audit entries of the workers were written with another key. Restore AUDIT_WORKER_KEY, or the file secrets/audit-worker-key of the data folder, from a backup.',
    );
}

/** Both ends of the chain, as far as the key of the chain shows in them. */
async function checkEnds(db: Kysely<DB>, keys: AuditKeys): Promise<string[]> {
  const first = await findFirst(db);
  const head = await findHead(db);
  const start = await findStart(db);
  const ofFirst =
    first && (first.hash_version < 3 || first.keyed_by === 'api') ? [checkHashes(keys, first)] : [];
  if (!head || !start) return ofFirst;
  // A seal is under the key of the chain, whoever wrote its entry.
  const checked = async (seal: SealedEntry) => {
    if (seal.seq === null) return [];
    if (seal.seal_keyed_by === null) return [checkHashes(keys, seal)];
    const before = BigInt(seal.position) - 1n;
    const previous = (await findHash(db, before.toString())) ?? CHAIN_START;
    return [checkSeal(keys, previous, seal, seal)];
  };
  const [atStart] = await listSeals(db, { after: (BigInt(start.position) - 1n).toString(), limit: 1 });
  return [...ofFirst, ...(await checked(head)), ...(atStart ? await checked(atStart) : [])];
}
