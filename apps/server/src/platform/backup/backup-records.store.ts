import { beginTransaction } from '../db/begin.ts';
import { createClient } from '../db/connection/connection.ts';
import { canonicalUrl } from '../db/connection/database-url.ts';
import type { Manifest } from './manifest.ts';

/** How `npm run backup` makes them. */
const KIND = 'dump';

/**
 * Notes a backup in the database that it is of, for the figures of monitoring.
 * @param url the application's login
 */
export function recordBackup(
  url: string,
  backup: { location: string; finishedAt: Date; manifest: Manifest },
): Promise<boolean> {
  const { location, finishedAt, manifest } = backup;
  return write(
    url,
    'INSERT INTO backup_record (kind, taken_at, finished_at, bytes, location, is_encrypted) VALUES ($1, $2, $3, $4, $5, $6)',
    [KIND, manifest.takenAt, finishedAt, manifest.dump.bytes, location, manifest.encryptedTo.length > 0],
  );
}

/** Notes that a backup was restored and checked. @returns whether such a backup is noted */
export function recordVerified(url: string, location: string): Promise<boolean> {
  return write(url, 'UPDATE backup_record SET verified_at = now() WHERE kind = $1 AND location = $2', [
    KIND,
    location,
  ]);
}

/** In a connection of its own: a backup has neither the keys nor the pool of a server. */
async function write(url: string, statement: string, values: unknown[]): Promise<boolean> {
  const connectionString = canonicalUrl(url, 'DATABASE_URL');
  const client = createClient({ connectionString, application_name: 'copydesk-backup' });
  await client.connect();
  try {
    await beginTransaction(client, 'BEGIN', { scope: { kind: 'all' } });
    const { rowCount } = await client.query(statement, values);
    await client.query('COMMIT');
    return rowCount === 1;
  } finally {
    await client.end();
  }
}
