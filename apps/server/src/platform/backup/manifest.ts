import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { z } from 'zod';
import { StartError } from '../process/start-error.ts';

export const MANIFEST_FILE = 'manifest.json';

/** What a backup contains, noted in the snapshot that was dumped. */
const manifestSchema = z.object({
  takenAt: z.iso.datetime(),
  /** Version of the server. */
  postgres: z.string(),
  /** Owner of the schema. Default privileges name it, so a restored database has an owner of the same name. */
  owner: z.string(),
  lastMigration: z.string(),
  /** The audit chain's newest entry; null: there is none. */
  auditHead: z.object({ seq: z.string(), hash: z.string() }).nullable(),
  /** The last block whose deposits are booked, by chain. */
  chainReadTo: z.record(z.string(), z.string()),
  /** Number of rows by schema and table. */
  rows: z.record(z.string(), z.number()),
  /** The file as it is stored. */
  dump: z.object({ bytes: z.number(), sha256: z.string() }),
  /** Recipients of age whose identities open the dump; none: it is not encrypted. */
  encryptedTo: z.array(z.string()).default([]),
});

export type Manifest = z.infer<typeof manifestSchema>;
type DatabaseContent = Omit<Manifest, 'takenAt' | 'dump' | 'encryptedTo'>;

/** Name of the dump: a custom-format archive of pg_dump, or that in a file of age. */
export const dumpFileOf = ({ encryptedTo }: Pick<Manifest, 'encryptedTo'>): string =>
  encryptedTo.length > 0 ? 'database.dump.age' : 'database.dump';

/** @throws StartError when the folder is no backup, or its dump is not the one that was made */
export async function readBackup(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => null);
  if (text === null)
    throw new StartError(`${folder} is not a backup: it has no ${MANIFEST_FILE}.`, { isSetting: false });
  const manifest = manifestSchema.parse(JSON.parse(text));
  const dump = dumpFileOf(manifest);
  if ((await sha256Of(join(folder, dump))) !== manifest.dump.sha256)
    throw new StartError(`${dump} in ${folder} is damaged: its checksum is not the noted one.`, {
      isSetting: false,
    });
  return manifest;
}

export async function sha256Of(file: string, interrupted?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { ...(interrupted && { signal: interrupted }) });
  return hash.digest('hex');
}

/** Facts about the database as the client's transaction sees it, without row-level security. */
export async function describeContent(client: pg.ClientBase): Promise<DatabaseContent> {
  const { rows: found } = await client.query<{ has_seals: boolean }>(
    "SELECT to_regclass('public.audit_seal') IS NOT NULL AS has_seals",
  );
  // A backup of a version before there were seals is restored, and then migrated.
  const head = found[0]?.has_seals
    ? 'position AS seq, hash FROM public.audit_seal'
    : 'seq, hash FROM public.audit_entry';
  const { rows: facts } = await client.query<Omit<DatabaseContent, 'rows'>>(`
    SELECT current_setting('server_version') AS postgres,
      (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'public.schema_migration'::regclass) AS owner,
      (SELECT max(name) FROM public.schema_migration) AS "lastMigration",
      (SELECT json_build_object('seq', h.seq::text, 'hash', encode(h.hash, 'hex'))
        FROM (SELECT ${head}) h ORDER BY h.seq DESC LIMIT 1) AS "auditHead",
      (SELECT coalesce(json_object_agg(chain_id || ' ' || token_address, block_number::text), '{}')
        FROM public.chain_cursor) AS "chainReadTo"`);
  const [fact] = facts;
  if (!fact) throw new Error('one row');
  return { ...fact, rows: await countRows(client) };
}

/** Number of rows of every table, by its name in SQL. */
async function countRows(client: pg.ClientBase): Promise<Record<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND c.relpersistence <> 't'
    ORDER BY 1`);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${name}`);
    counts[name] = Number(rows[0]?.count);
  }
  return counts;
}
