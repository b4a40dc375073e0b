import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../db/database.ts';

export interface ListedPasskey {
  id: string;
  name: string;
  /** ISO times. */
  created_at: string;
  last_used_at: string | null;
}

/** The passkeys of a user, oldest first. */
export async function listPasskeys(tx: Tx, userId: string): Promise<ListedPasskey[]> {
  const { rows } = await sql<ListedPasskey>`
    SELECT id, name, app.iso(created_at) AS created_at, app.iso(last_used_at) AS last_used_at
    FROM identity.passkey WHERE user_id = ${userId}::uuid ORDER BY created_at, id`.execute(tx.sql);
  return rows;
}

/** @returns the earlier name, or null when the user has no such passkey */
export async function renamePasskey(
  tx: WriteTx,
  userId: string,
  { id, name }: { id: string; name: string },
): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    UPDATE identity.passkey p SET name = ${name}
    FROM (SELECT k.id, k.name FROM identity.passkey k
      WHERE k.id = ${id}::uuid AND k.user_id = ${userId}::uuid FOR UPDATE) earlier
    WHERE p.id = earlier.id RETURNING earlier.name`.execute(tx.sql);
  return rows[0]?.name ?? null;
}

/** @returns its name, or null when the user has no such passkey */
export async function deletePasskey(tx: WriteTx, userId: string, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    DELETE FROM identity.passkey WHERE id = ${id}::uuid AND user_id = ${userId}::uuid RETURNING name`.execute(
    tx.sql,
  );
  return rows[0]?.name ?? null;
}
