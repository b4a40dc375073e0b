import type { Vouched } from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

export interface VouchedUser extends Vouched {
  email: string;
  /** Start of its time as an active super admin; null: it is none. */
  superSince: Date | null;
}

interface Row {
  id: string;
  email: string;
  is_confirmed: boolean;
  super_since: Date | null;
  sponsor_ids: string[];
}

/**
 * The facts for the four-eyes rule, by user id.
 * @param ids of users; ids of programs and of the system are omitted from the result
 */
export async function readVouching(tx: Tx, ids: readonly string[]): Promise<Map<string, VouchedUser>> {
  const { rows } = await sql<Row>`
    SELECT a.user_id AS id, u.email, a.confirmed_at IS NOT NULL AS is_confirmed,
      CASE WHEN a.super AND a.disabled_at IS NULL AND c.password IS NOT NULL THEN a.super_since END AS super_since,
      ARRAY(SELECT identity.sponsors_of(a.user_id)) AS sponsor_ids
    FROM identity.user_access a
    JOIN identity."user" u ON u.id = a.user_id
    LEFT JOIN identity.account c ON c.user_id = a.user_id AND c.provider_id = 'credential'
    WHERE a.user_id::text = ANY (${[...new Set(ids)]}::text[])`.execute(tx.sql);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        email: row.email,
        isConfirmed: row.is_confirmed,
        superSince: row.super_since,
        sponsorIds: row.sponsor_ids,
      },
    ]),
  );
}

/** Confirmed active super admins besides the given one. */
export async function countOtherConfirmed(tx: Tx, exceptId: string): Promise<number> {
  const { rows } = await sql<{ confirmed: number }>`
    SELECT count(*)::int AS confirmed FROM identity.user_access a
    JOIN identity.account c ON c.user_id = a.user_id AND c.password IS NOT NULL
    WHERE a.super AND a.disabled_at IS NULL AND a.confirmed_at IS NOT NULL AND a.user_id <> ${exceptId}::uuid`.execute(
    tx.sql,
  );
  return rows[0]?.confirmed ?? 0;
}
