import { sql } from 'kysely';

/**
 * Condition over a column with an orderer's id: it is a person who may not order any more. What nobody else approved
 * does not outlive that; programs are no persons.
 */
export const isOrdererGone = (column: string) => sql`EXISTS (SELECT FROM identity.person p
  WHERE p.id::text = ${sql.ref(column)} AND NOT (p.super AND p.is_active AND p.disabled_at IS NULL))`;

/** Condition over `money_order o`: it is approved, and still stands. */
export const isStanding = sql`(o.state = 'approved'
  AND (o.decided_by_id IS NOT NULL OR NOT ${isOrdererGone('o.requested_by_id')}))`;
