import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

export async function findCustomer(tx: Tx, communityId: string): Promise<string | null> {
  const { rows } = await sql<{ customer_id: string }>`
    SELECT k.customer_id FROM billing_customer k
    WHERE k.community_id = ${communityId} AND ${communityInScope(tx, 'k.community_id')}`.execute(tx.sql);
  return rows[0]?.customer_id ?? null;
}

/** The community of a customer. For workers, which see every row. */
export async function findCommunityOfCustomer(tx: Tx, customerId: string): Promise<string | null> {
  const { rows } = await sql<{ community_id: string }>`
    SELECT k.community_id FROM billing_customer k
    WHERE k.customer_id = ${customerId} AND ${communityInScope(tx, 'k.community_id')}`.execute(tx.sql);
  return rows[0]?.community_id ?? null;
}

/**
 * Stores the customer of a community, unless it has another one or is missing.
 * @returns the customer that is stored now
 */
export async function saveCustomer(
  tx: WriteTx,
  { communityId, customerId }: { communityId: string; customerId: string },
): Promise<string | null> {
  await sql`
    INSERT INTO billing_customer (community_id, customer_id)
    SELECT c.id, ${customerId} FROM community c
    WHERE c.id = ${communityId} AND ${communityInScope(tx, 'c.id')}
    ON CONFLICT DO NOTHING`.execute(tx.sql);
  return findCustomer(tx, communityId);
}

/**
 * Records that a customer is about to be created at the payment service. The first of several gives the name, which is
 * a part of the key of that request: whoever repeats it, also after a crash, gets the same customer.
 * @returns the name to create it with; null: there is no such community
 */
export async function intendCustomer(
  tx: WriteTx,
  { communityId, name }: { communityId: string; name: string },
): Promise<string | null> {
  await sql`
    INSERT INTO billing_customer_intent (community_id, name)
    SELECT c.id, ${name} FROM community c
    WHERE c.id = ${communityId} AND ${communityInScope(tx, 'c.id')}
    ON CONFLICT DO NOTHING`.execute(tx.sql);
  const { rows } = await sql<{ name: string }>`
    SELECT n.name FROM billing_customer_intent n
    WHERE n.community_id = ${communityId} AND ${communityInScope(tx, 'n.community_id')}`.execute(tx.sql);
  return rows[0]?.name ?? null;
}

/** The customer is stored: nothing is left to finish. */
export async function forgetIntent(tx: WriteTx, communityId: string): Promise<void> {
  await sql`DELETE FROM billing_customer_intent WHERE community_id = ${communityId}`.execute(tx.sql);
}

/** Communities whose customer was being created when a crash came. For workers, which see every row. */
export async function listIntents(tx: Tx): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT n.community_id AS id, n.name FROM billing_customer_intent n
    WHERE ${communityInScope(tx, 'n.community_id')} ORDER BY n.community_id`.execute(tx.sql);
  return rows;
}

export async function listCustomers(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ customer_id: string }>`
    SELECT k.customer_id FROM billing_customer k WHERE ${communityInScope(tx, 'k.community_id')}
    ORDER BY k.customer_id`.execute(tx.sql);
  return rows.map(({ customer_id }) => customer_id);
}
