import type { Config } from './config.ts';
import { loadAuditKey, requireAuditKey } from './platform/audit/audit-key.ts';
import { createPool } from './platform/db/connection.ts';
import { createDatabase, type Database } from './platform/db/database.ts';
import { requireRestrictedDatabase } from './platform/db/database-privileges.ts';

export interface OpenDatabase {
  url: string;
  db: Database;
  auditKey: Buffer;
}

/**
 * The database as the application sees it, with the key of its audit chain.
 * @param options.connectionTimeoutMs how long work may wait for a connection, where no person waits for it
 */
export async function openDatabase(
  config: Config,
  applicationName: string,
  options: { connectionTimeoutMs?: number } = {},
): Promise<OpenDatabase> {
  const url = config.databaseUrl;
  if (!url) throw new Error('DATABASE_URL is not set. `npm start` brings up a database of its own.');
  const pool = createPool({ ...options, url, applicationName, maxConnections: config.databasePool });
  try {
    await requireRestrictedDatabase(pool);
    const auditKey = await loadAuditKey({ pool, configured: config.auditKey, dataDir: config.dataDir });
    const db = createDatabase({ pool, auditKey, now: () => new Date() });
    await requireAuditKey(db, auditKey);
    return { url, auditKey, db };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
