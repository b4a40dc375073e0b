import type pg from 'pg';

/**
 * Removes keys, indexes and triggers from tables before a bulk load, within the open transaction. Building an index
 * over all rows at once costs a fraction of inserting them one by one; an added foreign key checks all rows with one
 * join instead of a lookup for each; and triggers would maintain sums for every row although the load computes them at
 * its end.
 * @param tables names in the schema `public`; of other tables only the keys that refer to these are removed
 * @returns a function that restores everything, and throws when a row refers to nothing or is duplicated
 */
export async function liftChecks(client: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ take: string; put: string }>(
    `WITH lifted AS (SELECT unnest($1::regclass[]) AS oid)
     SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS take,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS put,
       CASE contype WHEN 'f' THEN 0 ELSE 1 END AS turn
     FROM pg_constraint
     WHERE contype = 'f' AND (conrelid IN (TABLE lifted) OR confrelid IN (TABLE lifted))
       OR contype IN ('p', 'u') AND conrelid IN (TABLE lifted)
     UNION ALL
     -- Of a table that is divided, those of its partitions go and come with it.
     SELECT format('DROP INDEX %s', i.indexrelid::regclass), replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON '), 1
     FROM pg_index i
     WHERE i.indrelid IN (TABLE lifted)
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))
     UNION ALL
     SELECT format('ALTER TABLE %s DISABLE TRIGGER USER', oid::regclass),
       format('ALTER TABLE %s ENABLE TRIGGER USER', oid::regclass), 2
     FROM lifted
     ORDER BY turn`,
    [tables.map((table) => `public.${table}`)],
  );
  await client.query(rows.map(({ take }) => take).join(';\n'));
  return async () => {
    await client.query("SET LOCAL maintenance_work_mem = '512MB'");
    await client.query(
      rows
        .toReversed()
        .map(({ put }) => put)
        .join(';\n'),
    );
  };
}
