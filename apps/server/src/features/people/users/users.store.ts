import type { Flags } from '@copydesk/domain/access';
import { sql } from 'kysely';
import { seenVersion } from '../../../platform/audit/seen-version.ts';
import { limitStatements } from '../../../platform/db/begin.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { type AccessRow, flagsOf } from '../../../platform/identity/access-row.ts';
import { activateAccount, insertAccount } from '../../../platform/identity/embedded/accounts.store.ts';
import type { UserState } from './user-rules.ts';

export interface StoredUser extends UserState {
  id: string;
  email: string;
  name: string;
  version: string;
}

interface UserRow extends AccessRow {
  id: string;
  email: string;
  name: string;
  disabled: boolean;
  active: boolean;
  version: string;
}

/** The version of the access of a person `p`. */
export const accessVersion = seenVersion<'PATCH /api/users/{id}'>({
  admin: sql`p.admin`,
  super: sql`p.super`,
  provider_access: sql`p.provider_ids`,
  staff_roles: sql`p.staff_roles`,
  disabled: sql`p.disabled_at IS NOT NULL`,
});

const userRow = sql`SELECT p.id, p.email, p.name, p.admin, p.super, p.provider_ids, p.staff_roles,
    p.disabled_at IS NOT NULL AS disabled, p.is_active AS active, ${accessVersion} AS version
  FROM identity.person p`;

/** @param id as a client sent it, possibly not a valid id */
export async function findUser(tx: Tx, id: string): Promise<StoredUser | null> {
  const { rows } = await sql<UserRow>`${userRow} WHERE p.id::text = ${id}`.execute(tx.sql);
  return toUser(rows[0]);
}

export async function findUserByEmail(tx: Tx, email: string): Promise<StoredUser | null> {
  const { rows } = await sql<UserRow>`${userRow} WHERE p.email = ${email}`.execute(tx.sql);
  return toUser(rows[0]);
}

function toUser(row: UserRow | undefined): StoredUser | null {
  if (!row) return null;
  const { admin, super: isSuper, provider_ids, staff_roles, ...rest } = row;
  return { ...rest, flags: flagsOf({ admin, super: isSuper, provider_ids, staff_roles }) };
}

/**
 * The number of active super admins besides the given one. Takes a lock that every promotion and demotion takes: of two
 * super admins demoting each other, only one may succeed.
 */
export async function countOtherSupers(tx: WriteTx, exceptId: string | null): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('copydesk.super-admins'))`.execute(tx.sql);
  const { rows } = await sql<{ supers: number }>`
    SELECT count(*)::int AS supers FROM identity.person
    WHERE super AND is_active AND disabled_at IS NULL AND id IS DISTINCT FROM ${exceptId}::uuid`.execute(
    tx.sql,
  );
  return rows[0]?.supers ?? 0;
}

export interface NewUser {
  id: string;
  email: string;
  name: string;
  flags: Flags;
}

/** The first grant of a set of providers computes its sums: some seconds with millions of payouts. */
const GRANT_TIMEOUT_MS = 180_000;
const allowGrant = (tx: WriteTx) => limitStatements(tx, GRANT_TIMEOUT_MS);

/** A user who cannot sign in yet. */
export async function insertUser(tx: WriteTx, { flags, ...account }: NewUser, at: Date): Promise<void> {
  await insertAccount(tx, account, at);
  await allowGrant(tx);
  await sql`INSERT INTO identity.user_access (user_id, admin, super, super_since, provider_ids, staff_roles, updated_at)
    VALUES (${account.id}, ${flags.admin}, ${flags.super}, ${flags.super ? at : null}, ${[...flags.providerAccess]}::uuid[],
      ${JSON.stringify(flags.staffRoles ?? {})}::jsonb, ${at})`.execute(tx.sql);
}

/** Lets a user sign in with a password, under the chosen name. A super admin's term starts here. */
export async function activateUser(
  tx: WriteTx,
  user: { id: string; name: string; passwordHash: string },
  at: Date,
): Promise<void> {
  await activateAccount(tx, user, at);
  await markAccepted(tx, user.id, at);
}

/** From now on the user can sign in. A super admin's term starts here. */
export async function markAccepted(tx: WriteTx, id: string, at: Date): Promise<void> {
  await sql`UPDATE identity.user_access SET accepted_at = ${at}, super_since = CASE WHEN super THEN ${at}::timestamptz END
    WHERE user_id = ${id}`.execute(tx.sql);
}

/** Those of these ids that are providers. */
export async function filterProviders(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM provider WHERE id = ANY (${[...ids]}::uuid[]) ORDER BY id`.execute(tx.sql);
  return rows.map(({ id }) => id);
}

export async function updateAccess(
  tx: WriteTx,
  id: string,
  { flags, disabled, becomesSuper }: { flags: Flags; disabled: boolean; becomesSuper: boolean },
  at: Date,
): Promise<void> {
  const keeps = flags.super && !becomesSuper;
  await allowGrant(tx);
  await sql`UPDATE identity.user_access SET admin = ${flags.admin}, super = ${flags.super},
      super_since = CASE WHEN ${keeps} THEN coalesce(super_since, ${at}::timestamptz) -- of a disabled account: from now
        WHEN ${flags.super} THEN ${at}::timestamptz END,
      confirmed_at = CASE WHEN ${keeps} THEN confirmed_at END,
      confirmed_by_id = CASE WHEN ${keeps} THEN confirmed_by_id END,
      provider_ids = ${[...flags.providerAccess]}::uuid[],
      staff_roles = ${JSON.stringify(flags.staffRoles ?? {})}::jsonb,
      disabled_at = CASE WHEN ${disabled} THEN coalesce(disabled_at, ${at}::timestamptz) END, updated_at = ${at}
    WHERE user_id = ${id}`.execute(tx.sql);
}

/** Whether all of these are providers. */
export async function areProviders(tx: Tx, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const { rows } = await sql<{ found: number }>`
    SELECT count(*)::int AS found FROM provider WHERE id = ANY (${[...new Set(ids)]}::uuid[])`.execute(
    tx.sql,
  );
  return rows[0]?.found === new Set(ids.map((id) => id.toLowerCase())).size;
}
