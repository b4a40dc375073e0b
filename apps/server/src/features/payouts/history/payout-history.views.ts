import { type RawBuilder, sql } from 'kysely';
import type { AnyTx, Tx } from '../../../platform/db/database.ts';
import {
  isAfter,
  keyColumns,
  named,
  orderBy as orderOf,
  type Reach,
  reachOf,
} from '../../../platform/db/lists/keyset.ts';
import { type PageOfRows, readPage } from '../../../platform/db/lists/list-page.ts';
import { partsOfQuery } from '../../../platform/db/lists/list-query.ts';
import type { ExportedList } from '../../../platform/http/exported-list.ts';
import {
  ownRows,
  type PayoutFilters,
  type PayoutSort,
  payoutConditions,
  payoutKeys,
} from './payout-filters.ts';
import { communityOf, payoutColumns } from './payout-json.ts';
import { sumPayouts } from './payout-sums.views.ts';
import { resolveFilters } from './resolve-filters.ts';

interface OrderedPayouts extends PayoutFilters {
  orderBy: PayoutSort;
  orderDir: 'asc' | 'desc';
  after?: readonly string[];
}
export type PayoutPage = OrderedPayouts & Reach;

export function listPayouts(tx: AnyTx, page: PayoutPage): Promise<PageOfRows> {
  return readPage(tx, page, {
    ids: sql`payout_id`,
    keys: payoutKeys(page.orderBy, page.orderDir),
    walk: inOrder(tx, page, reachOf(page)),
    joins: sql`
    CROSS JOIN LATERAL (SELECT * FROM payout o WHERE o.id = page.payout_id OFFSET 0) o
    ${communityOf(tx)}
    CROSS JOIN LATERAL (SELECT ${payoutColumns(tx)}) r`,
    keepsPlan: true,
  });
}

/**
 * `SELECT payout_id, key_1 ... ORDER BY ...` of all matches.
 * @param upTo how far into the list the page reaches; null for all of it
 */
function inOrder(tx: AnyTx, page: OrderedPayouts, upTo: number | null) {
  const keys = payoutKeys(page.orderBy, page.orderDir);
  const conditions = sql`${payoutConditions(page, upTo)} ${sql.join(
    isAfter(keys, page.after).map((condition) => sql`AND ${condition}`),
    sql` `,
  )}`;
  const columns = sql`SELECT s.payout_id, ${keyColumns(keys)}`;
  const { scope } = tx;
  if (scope.kind === 'all' || scope.providerIds.length === 1)
    return sql`${columns} FROM payout_provider s
      WHERE ${ownRows(tx, 's')} ${conditions} ORDER BY ${wayOfWalk(page)}, ${orderOf(keys)}`;
  const enough = upTo === null ? sql`` : sql`ORDER BY ${orderOf(keys)} LIMIT ${sql.lit(upTo)}`;
  return sql`SELECT * FROM (${sql.join(
    partsInScope(tx).map((part) => sql`(${columns} FROM (${part}) s WHERE true ${conditions} ${enough})`),
    sql` UNION ALL `,
  )}) found ORDER BY ${orderOf(named(keys))}`;
}

/**
 * The payouts of a caller with several providers, in disjoint parts, each in index order: payouts of a single provider,
 * and shared payouts with the cached sums of the caller's provider set. A set without cached sums is added up. One of
 * the last two parts is always empty and costs nothing.
 */
function partsInScope(tx: AnyTx): RawBuilder<unknown>[] {
  const columns = sql`SELECT s.payout_id, s.community_id, s.recipient_type, s.status, s.created_at`;
  const ids = tx.scope.kind === 'all' ? [] : tx.scope.providerIds;
  return [
    ...ids.map(
      (id) => sql`${columns}, s.amount_units, s.amount_rank FROM payout_provider s
        WHERE NOT s.is_shared AND s.provider_id = ${id}::uuid`,
    ),
    sql`${columns}, s.amount_units, s.amount_rank FROM payout_in_set s WHERE s.set_id = (SELECT app.provider_set())`,
    sql`${columns}, sum(s.amount_units) AS amount_units, sum(s.amount_units)::float8 AS amount_rank
      FROM payout_provider s
      WHERE (SELECT app.provider_set()) IS NULL AND s.is_shared AND ${ownRows(tx, 's')}
      GROUP BY s.payout_id, s.community_id, s.recipient_type, s.status, s.created_at`,
  ];
}

/** The ids of the payouts that match, the newest first, at most so many. For callers who see everything. */
export async function listMatchingIds(tx: Tx, asked: PayoutFilters, most: number): Promise<string[]> {
  const filters = await resolveFilters(tx, asked);
  const { rows } = await sql<{ payout_id: string }>`SELECT payout_id FROM (${inOrder(
    tx,
    { ...filters, orderBy: 'created_at', orderDir: 'desc' },
    null,
  )}) found LIMIT ${sql.lit(most)}`.execute(tx.sql);
  return rows.map(({ payout_id: id }) => id);
}

/** All rows have the same provider or none. PostgreSQL needs an explicit NULL order to use an index over NULLs. */
const wayOfWalk = ({ orderDir }: Pick<PayoutPage, 'orderDir'>) =>
  orderDir === 'desc' ? sql`s.provider_id DESC` : sql`s.provider_id ASC`;

/** The statement of the export: the same rows in the same order as the list. */
function exportStatement(tx: AnyTx, page: OrderedPayouts) {
  return sql`
    SELECT r.created_at, o.status, o.recipient_type, c.name AS community, o.recipient_address,
      r.total_amount, o.consolidate_transaction_hash, o.distribute_transaction_hash, r.updated_at, o.id
    FROM (SELECT payout_id, row_number() OVER () AS position FROM (${inOrder(tx, page, null)}) ordered) found
    JOIN payout o ON o.id = found.payout_id
    ${communityOf(tx)}
    CROSS JOIN LATERAL (SELECT ${payoutColumns(tx)}) r
    ORDER BY found.position`.compile(tx.sql);
}

const EXPORT_COLUMNS = {
  created_at: 'Date',
  status: 'Status',
  recipient_type: 'Recipient Type',
  community: 'Community',
  recipient_address: 'Recipient Address',
  total_amount: 'Amount (USDT)',
  consolidate_transaction_hash: 'Consolidate Tx',
  distribute_transaction_hash: 'Distribute Tx',
  updated_at: 'Updated',
  id: 'Payout ID',
};

/** The payouts of the list as a file. */
export const payoutExport: ExportedList<'GET /api/sweep-operations/export'> = {
  name: 'payouts',
  columns: EXPORT_COLUMNS,
  async prepare(tx, { query }) {
    const { filters: asked, order } = partsOfQuery(query, 'created_at');
    // The whole list is read: whatever a search finds is cheaper by its ids.
    const filters = await resolveFilters(tx, asked);
    return {
      count: async (reading) => (await sumPayouts(reading, filters)).total,
      statement: (reading) => exportStatement(reading, { ...filters, ...order }),
    };
  },
};
