import { sql } from 'kysely';
import type { Tx, WriteTx } from '../db/database.ts';
import type { Keyring } from './keyring.ts';
import type { SealedSecret } from './sealed-secret.ts';
import { rewrapStored } from './stored-secret.ts';

/** A table of sealed secrets, for the rotation of the master key. */
export interface SealedTable {
  /** Wraps some secrets under other master keys with the current one, without waiting for locked rows. */
  rewrapSome(tx: WriteTx, keyring: Keyring, limit: number): Promise<number>;
  /** Number of secrets by master key. */
  countByMasterKey(tx: Tx): Promise<{ masterKeyId: string; count: number }[]>;
}

/** How a secret is read from its columns, beside what its place is made of. */
const SEALED_COLUMNS = sql`ciphertext, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"`;

/**
 * The rotation of one table, whose columns of a secret have the same names everywhere.
 * @param key columns of its primary key
 * @param reads columns that name the place
 * @param place names where a secret is stored, as it was named when it was sealed
 */
export function sealedTable<Row>({
  table,
  key,
  reads,
  place,
}: {
  table: string;
  key: readonly string[];
  reads: ReturnType<typeof sql>;
  place: (row: Row) => string;
}): SealedTable {
  const rows = sql.table(table);
  const keys = sql.join(key.map((column) => sql.ref(column)));
  return {
    async rewrapSome(tx, keyring, limit) {
      const found = await sql<Row & SealedSecret & { key: string[] }>`
        SELECT ${reads}, ${SEALED_COLUMNS}, ARRAY[${sql.join(key.map((column) => sql`${sql.ref(column)}::text`))}] AS key
        FROM ${rows} WHERE master_key_id <> ${keyring.current.id}
        ORDER BY ${keys} LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(tx.sql);
      for (const row of found.rows) {
        const { wrappedKey, masterKeyId } = rewrapStored(keyring, row, place(row));
        const isIt = sql.join(
          key.map((column, nth) => sql`${sql.ref(column)} = ${row.key[nth]}`),
          sql` AND `,
        );
        await sql`UPDATE ${rows} SET wrapped_key = ${wrappedKey}, master_key_id = ${masterKeyId}
          WHERE ${isIt}`.execute(tx.sql);
      }
      return found.rows.length;
    },
    async countByMasterKey(tx) {
      const counts = await sql<{ masterKeyId: string; count: number }>`
        SELECT master_key_id AS "masterKeyId", count(*)::int AS count FROM ${rows}
        WHERE master_key_id IS NOT NULL GROUP BY master_key_id`.execute(tx.sql);
      return counts.rows;
    },
  };
}
