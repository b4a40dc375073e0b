import pg from 'pg';
import { SILENCE_MS } from '../connection/connection.ts';
import { connectForCommand } from '../connection/database-url.ts';
import { type Migration, readMigrations, splitAtSquash } from '../installation/migrate.ts';
import type { Effect } from './effect.ts';
import { effectsOf } from './effects.ts';

/** Bytes a second, for estimates: what a modest server reads, and what it writes with indexes. */
const READ_PER_SECOND = 100e6;
const REWRITE_PER_SECOND = 30e6;

interface Size {
  rows: number;
  bytes: number;
}

/**
 * What the migrations that are still to be applied would do to this database, as lines for an operator: which tables
 * they lock, who waits, and about how long. Nothing is changed or locked.
 */
export async function planMigrations(ownerUrl: string): Promise<string[]> {
  const client = await connectForCommand(
    ownerUrl,
    'DATABASE_OWNER_URL',
    { application_name: 'copydesk-migrate' },
    SILENCE_MS,
  );
  try {
    const pending = await listPending(client);
    if (pending.length === 0) return ['The schema is up to date.'];
    const lines: string[] = [];
    for (const { name, text } of pending) {
      const effects = (await effectsOf(text)).filter(
        ({ blocks, work }) => blocks !== 'nothing' || work !== 'none',
      );
      lines.push(effects.length === 0 ? `${name}: nothing waits` : name);
      for (const effect of effects) lines.push(...describe(effect, await sizesOf(client, effect.tables)));
    }
    return lines;
  } finally {
    await client.end();
  }
}

async function listPending(client: pg.Client): Promise<Migration[]> {
  const { rows: tables } = await client.query(
    `SELECT FROM pg_class WHERE oid = to_regclass('schema_migration')`,
  );
  const { rows } = tables.length
    ? await client.query<{ name: string; checksum: string }>('SELECT name, checksum FROM schema_migration')
    : { rows: [] };
  const migrations = await readMigrations();
  const { takenOver } = splitAtSquash(rows, migrations);
  const applied = new Set([...rows, ...takenOver].map(({ name }) => name));
  return migrations.filter(({ name }) => !applied.has(name));
}

async function sizesOf(client: pg.Client, tables: readonly string[]): Promise<Size> {
  const { rows } = await client.query<{ rows: string; bytes: string }>(
    `SELECT coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint AS rows, coalesce(sum(pg_table_size(c.oid)), 0) AS bytes
     FROM unnest($1::text[]) AS name JOIN pg_class c ON c.oid = to_regclass(name)`,
    [tables.map((table) => table.split('.').map(pg.escapeIdentifier).join('.'))],
  );
  return { rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes) };
}

function describe({ statement, tables, blocks, work }: Effect, size: Size): string[] {
  const names = tables.join(', ');
  const about = `about ${size.rows.toLocaleString('en-US')} rows, ${(size.bytes / 1e6).toFixed(1)} MB`;
  const waiting = blocks === 'nothing' ? 'nothing waits' : `${blocks} of ${names} wait`;
  return [`  ${statement}`, `    ${waiting}${durationOf(work, size)}${names === '' ? '' : ` (${about})`}`];
}

function durationOf(work: Effect['work'], { bytes }: Size): string {
  const seconds = (perSecond: number) => `about ${Math.ceil(bytes / perSecond)} s`;
  switch (work) {
    case 'none':
      return ', for a moment';
    case 'scan':
      return ` while the table is read: ${seconds(READ_PER_SECOND)}`;
    case 'rewrite':
      return ` while the table is written again: ${seconds(REWRITE_PER_SECOND)}`;
    case 'rows':
      return '; it changes rows, which only waits for changes of the same rows';
    case 'unknown':
      return '; it runs code: read it';
  }
}
