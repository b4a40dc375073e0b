import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/**
 * `seen (id, aum, aum_read_at, tab)`: the traders of a scope with the sums that it may see. Super admins read
 * the trader's own columns; staff of one provider that provider's row; staff of several the sum of theirs.
 * Each of the first two comes in the order of an index, so a page costs what it shows.
 */
export function visibleTraders(tx: Tx): RawBuilder<unknown> {
  // With the filter off, in the test of row-level security, everything is asked for and the policies answer.
  if (tx.scope.kind === 'all') return sql`trader`;
  const ids = [...tx.scope.providerIds];
  const inScope = tx.filtersScope ? sql`provider_id = ANY (${ids}::uuid[])` : sql`true`;
  if (ids.length === 1)
    return sql`(SELECT trader_id AS id, aum, aum_read_at, tab FROM trader_provider WHERE ${
      tx.filtersScope ? sql`provider_id = ${ids[0]}::uuid` : inScope
    })`;
  return sql`(SELECT trader_id AS id, sum(aum) AS aum, min(aum_read_at) AS aum_read_at, max(tab) AS tab
    FROM trader_provider WHERE ${inScope} GROUP BY trader_id)`;
}
