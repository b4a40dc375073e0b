import { sql } from 'kysely';
import { communityJson } from '../../../core/traders/trader-columns.ts';
import type { AnyTx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';
import { ownRows } from './payout-filters.ts';

/** The amount of a payout `o` that a caller may see, in base units. */
export const unitsInScope = (tx: AnyTx) =>
  sql`(SELECT sum(e.amount_units) FROM payout_provider e WHERE e.payout_id = o.id AND ${ownRows(tx, 'e')})`;

/** Whether the distribution of a payout `o` needs another super admin's approval; NULL for imported payouts. */
export const awaitsApproval = sql<boolean>`o.distribution_id IN (SELECT app.distributions_awaiting())`;

/** The wire shape of a payout, as columns over `payout o` and its `community c`, for `row_to_json`. */
export const payoutColumns = (tx: AnyTx) => sql`
  o.id, o.status, o.recipient_type, o.recipient_address, ${usdt(unitsInScope(tx))} AS total_amount,
  o.consolidate_transaction_hash, o.distribute_transaction_hash, app.iso(o.created_at) AS created_at,
  app.iso(o.updated_at) AS updated_at,
  CASE WHEN c.id IS NOT NULL THEN ${communityJson} END AS community,
  o.problem, o.replaced_by_id AS replaced_by, o.distribution_id IS NULL AS is_imported, coalesce(${awaitsApproval}, false) AS awaits_approval`;

/** The community `c` of payout `o`, if it is still in the caller's scope. */
export const communityOf = (tx: AnyTx) =>
  sql`LEFT JOIN community c ON c.id = o.community_id AND ${communityInScope(tx, 'c.id')}`;
