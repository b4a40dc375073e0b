import type pg from 'pg';

/**
 * Takes foreign keys and plain indexes from tables that are about to be filled, within the open transaction. An index that is
 * built over all rows at once costs a fraction of one that takes them singly, and a foreign key that is added is held
 * against all rows by one join, where it would otherwise look up each.
 * @param tables names in the schema `public`; only what they carry themselves is taken
 * @returns puts everything back, and throws when a row refers to nothing
 */
export async function liftChecks(client: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ take: string; put: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS take,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS put, 1 AS turn
     FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::regclass[])
     UNION ALL
     SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), 0
     FROM pg_index i
     WHERE i.indrelid = ANY ($1::regclass[]) AND NOT i.indisunique
     ORDER BY turn`,
    [tables.map((table) => `public.${table}`)],
  );
  for (const { take } of rows) await client.query(take);
  return async () => {
    await client.query("SET LOCAL maintenance_work_mem = '512MB'");
    for (const { put } of rows) await client.query(put);
  };
}
