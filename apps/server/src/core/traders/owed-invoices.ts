import { sql } from 'kysely';

/**
 * Whether a trader owes an invoice `i` and is asked for it: not what a pool takes from its own result, nor the order of a
 * bot, which ends unpaid. The index invoice_owed has the same condition.
 */
export const isOwed = sql<boolean>`(i.status = 'pending' AND NOT i.is_archived AND i.harvest_cycle_id IS NULL
      AND i.invoice_type = 'regular')`;
