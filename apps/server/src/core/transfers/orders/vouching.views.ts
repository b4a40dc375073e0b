import type { Vouched } from '@copydesk/domain/access';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

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
    SELECT p.id, p.email, p.confirmed_at IS NOT NULL AS is_confirmed,
      CASE WHEN p.super AND p.is_active AND p.disabled_at IS NULL THEN p.super_since END AS super_since,
      ARRAY(SELECT identity.sponsors_of(p.id)) AS sponsor_ids
    FROM identity.person p
    WHERE p.id::text = ANY (${[...new Set(ids)]}::text[])`.execute(tx.sql);
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

/** Confirmed active super admins besides the given one, with the start of their time as one. */
export async function readOtherConfirmed(
  tx: Tx,
  exceptId: string,
): Promise<{ id: string; superSince: Date | null }[]> {
  const { rows } = await sql<{ id: string; superSince: Date | null }>`
    SELECT id, super_since AS "superSince" FROM identity.person
    WHERE super AND is_active AND disabled_at IS NULL AND confirmed_at IS NOT NULL AND id::text <> ${exceptId}`.execute(
    tx.sql,
  );
  return rows;
}
