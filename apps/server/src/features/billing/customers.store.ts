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

export async function listCustomers(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ customer_id: string }>`
    SELECT k.customer_id FROM billing_customer k WHERE ${communityInScope(tx, 'k.community_id')}
    ORDER BY k.customer_id`.execute(tx.sql);
  return rows.map(({ customer_id }) => customer_id);
}
