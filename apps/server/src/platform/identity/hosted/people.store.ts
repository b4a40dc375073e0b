import type { HostedGrants } from '@copydesk/domain/access';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../db/database.ts';

// Which user at the hosted service is which of ours, written in the transaction of a change of ours.

export interface HostedLink {
  userId: string;
  /** What the service said in the last read. */
  granted: HostedGrants;
  readNumber: bigint;
}

/** Numbers reads of users before they begin: the read with the highest number has seen the newest state. */
export async function nextReadNumber(tx: WriteTx): Promise<bigint> {
  const { rows } = await sql<{ number: string }>`
    SELECT nextval('identity.hosted_read_number')::text AS number`.execute(tx.sql);
  return BigInt(rows[0]?.number ?? 0);
}

/**
 * Until the transaction ends, no other transaction admits or changes this user, or a user of the same
 * address.
 */
export async function lockHostedUser(tx: WriteTx, hostedId: string, email: string | null): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('copydesk.hosted:' || ${hostedId}))`.execute(tx.sql);
  if (email !== null)
    await sql`SELECT pg_advisory_xact_lock(hashtext('copydesk.hosted-email:' || ${email}))`.execute(tx.sql);
}

export async function findLink(tx: Tx, hostedId: string): Promise<HostedLink | null> {
  const { rows } = await sql<{
    user_id: string;
    granted_admin: boolean;
    granted_super: boolean;
    granted_provider_ids: string[];
    read_number: string;
  }>`SELECT user_id, granted_admin, granted_super, granted_provider_ids, read_number::text AS read_number
     FROM identity.hosted_user WHERE hosted_id = ${hostedId}`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  return {
    userId: row.user_id,
    granted: { admin: row.granted_admin, super: row.granted_super, providerIds: row.granted_provider_ids },
    readNumber: BigInt(row.read_number),
  };
}

/** A link with what its person may lose. */
export interface ComparedLink {
  hostedId: string;
  granted: HostedGrants;
  isDisabled: boolean;
}

/** Links in the order of the service's ids, after one of them; an empty text: from the first. */
export async function listLinksAfter(tx: Tx, after: string, limit: number): Promise<ComparedLink[]> {
  const { rows } = await sql<{
    hosted_id: string;
    granted_admin: boolean;
    granted_super: boolean;
    granted_provider_ids: string[];
    disabled: boolean;
  }>`SELECT h.hosted_id, h.granted_admin, h.granted_super, h.granted_provider_ids, a.disabled_at IS NOT NULL AS disabled
     FROM identity.hosted_user h JOIN identity.user_access a ON a.user_id = h.user_id
     WHERE h.hosted_id > ${after} ORDER BY h.hosted_id LIMIT ${limit}`.execute(tx.sql);
  return rows.map((row) => ({
    hostedId: row.hosted_id,
    granted: { admin: row.granted_admin, super: row.granted_super, providerIds: row.granted_provider_ids },
    isDisabled: row.disabled,
  }));
}

/** The service's id of a user of ours; null: not linked. */
export async function findHostedId(tx: Tx, userId: string): Promise<string | null> {
  const { rows } = await sql<{ hosted_id: string }>`
    SELECT hosted_id FROM identity.hosted_user WHERE user_id::text = ${userId}`.execute(tx.sql);
  return rows[0]?.hosted_id ?? null;
}

/**
 * Stores the provider of each organisation; null: none. Sorted by id, so that concurrent writers cannot
 * deadlock.
 */
export async function keepOrganizations(
  tx: WriteTx,
  organizations: readonly { id: string; providerId: string | null }[],
): Promise<void> {
  for (const { id, providerId } of organizations.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    await sql`
      INSERT INTO identity.hosted_organization AS o (hosted_id, provider_id) VALUES (${id}, ${providerId})
      ON CONFLICT (hosted_id) DO UPDATE SET provider_id = excluded.provider_id
      WHERE o.provider_id IS DISTINCT FROM excluded.provider_id`.execute(tx.sql);
}

/** Links a user of ours that has no link yet. */
export async function insertLink(
  tx: WriteTx,
  {
    userId,
    hostedId,
    granted,
    readNumber,
  }: { userId: string; hostedId: string; granted: HostedGrants; readNumber: bigint },
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO identity.hosted_user (user_id, hosted_id, linked_at, granted_admin, granted_super,
      granted_provider_ids, read_number)
    VALUES (${userId}, ${hostedId}, ${at}, ${granted.admin}, ${granted.super}, ${[...granted.providerIds]}::uuid[],
      ${readNumber})`.execute(tx.sql);
}

/** Keeps what the service says now. */
export async function updateLink(
  tx: WriteTx,
  hostedId: string,
  { granted, readNumber }: { granted: HostedGrants; readNumber: bigint },
): Promise<void> {
  await sql`
    UPDATE identity.hosted_user SET granted_admin = ${granted.admin}, granted_super = ${granted.super},
      granted_provider_ids = ${[...granted.providerIds]}::uuid[], read_number = ${readNumber}
    WHERE hosted_id = ${hostedId}`.execute(tx.sql);
}

/** Name, address and second factor of a person as the service has them. */
export async function mirrorProfile(
  tx: WriteTx,
  {
    userId,
    name,
    email,
    hasSecondFactor,
  }: {
    userId: string;
    name: string;
    email: string;
    hasSecondFactor: boolean;
  },
  at: Date,
): Promise<void> {
  await sql`
    UPDATE identity."user" SET name = ${name}, email = ${email}, email_verified = true,
      two_factor_enabled = ${hasSecondFactor}, updated_at = ${at}
    WHERE id = ${userId}`.execute(tx.sql);
}
