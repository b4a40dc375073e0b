import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../process/start-error.ts';
import { findBlockers } from './blockers.views.ts';

interface MigrationFile {
  name: string;
  text: string;
  checksum: string;
}

/** PostgreSQL: lock_not_available, as after `lock_timeout`, and deadlock_detected, which it finds earlier. */
const LOCK_LOST = new Set<unknown>(['55P03', '40P01']);
const TRIES = 10;
const PAUSE_MS = 2_000;
const CONCURRENT_INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+)/m;

/**
 * Applies one migration, in a transaction of its own; an index that is made concurrently is the only statement of its
 * file, and has none.
 * @param options.lockTimeoutMs how long a statement may wait for a lock: meanwhile everyone else waits behind it
 * @throws StartError when other processes still hold a lock after several tries; it names them
 */
export async function applyMigration(
  client: pg.Client,
  migration: MigrationFile,
  { lockTimeoutMs, pauseMs = PAUSE_MS }: { lockTimeoutMs: number; pauseMs?: number },
): Promise<void> {
  const [, index] = CONCURRENT_INDEX.exec(migration.text) ?? [];
  for (let attempt = 1; ; attempt++)
    try {
      if (index === undefined) await applyInTransaction(client, migration, lockTimeoutMs);
      else await applyConcurrently(client, migration, index);
      return;
    } catch (error) {
      if (!LOCK_LOST.has((error as { code?: string }).code)) throw error;
      if (attempt === TRIES)
        throw new StartError(
          `${migration.name} could not get its locks in ${TRIES} tries. These hold some: ${await findBlockers(client)}. Run it again when they have ended.`,
          { isSetting: false },
        );
      await sleep(pauseMs);
    }
}

async function applyInTransaction(
  client: pg.Client,
  migration: MigrationFile,
  lockTimeoutMs: number,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(
      `SELECT set_config('copydesk.scope', 'all', true), set_config('lock_timeout', $1, true)`,
      [String(lockTimeoutMs)],
    );
    await client.query(migration.text);
    await noteMigrations(client, [migration]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** A concurrent build that was interrupted leaves an index that is not valid: it is built again. */
async function applyConcurrently(client: pg.Client, migration: MigrationFile, index: string): Promise<void> {
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${pg.escapeIdentifier(index)}`);
  await client.query(migration.text);
  await noteMigrations(client, [migration]);
}

/** Writes down that a database has these migrations. */
export const noteMigrations = (
  client: pg.ClientBase,
  migrations: readonly Pick<MigrationFile, 'name' | 'checksum'>[],
) =>
  client.query('INSERT INTO schema_migration (name, checksum) SELECT * FROM unnest($1::text[], $2::text[])', [
    migrations.map(({ name }) => name),
    migrations.map(({ checksum }) => checksum),
  ]);
