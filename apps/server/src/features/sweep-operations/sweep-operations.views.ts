import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { ownRows, type SweepFilters, type SweepOrder, shareConditions, sweepOrder } from './sweep-filters.ts';
import { communityOf, operationColumns } from './sweep-json.ts';

export interface SweepPage extends SweepFilters {
  orderBy: SweepOrder;
  orderDir: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** Rows that travel as one text: a list of 10,000 leaves in parts and is never in memory as a whole. */
const ROWS_PER_PART = 500;

/** One page of the list, as texts that make a JSON array when they are joined by commas. Ids first, then their rows. */
export async function listSweeps(tx: Tx, page: SweepPage): Promise<string[]> {
  const { rows } = await sql<{ part: string }>`
    WITH page AS MATERIALIZED (
      SELECT operation_id, row_number() OVER () AS position FROM (
        SELECT operation_id FROM (${inOrder(tx, page)} LIMIT ${sql.lit(reachOf(page))}) reached
        OFFSET ${page.offset} LIMIT ${sql.lit(page.limit)}) found)
    SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part
    FROM page
    CROSS JOIN LATERAL (SELECT * FROM sweep_operation o WHERE o.id = page.operation_id OFFSET 0) o
    ${communityOf(tx)}
    CROSS JOIN LATERAL (SELECT ${operationColumns(tx)}) r
    GROUP BY (position - 1) / ${sql.lit(ROWS_PER_PART)} ORDER BY (position - 1) / ${sql.lit(ROWS_PER_PART)}`.execute(
    tx.sql,
  );
  return rows.map((row) => row.part);
}

/** `operation_id` and `amount_units` in scope of all that match, in order. */
function inOrder(tx: Tx, page: Omit<SweepPage, 'limit' | 'offset'> & { limit?: number; offset?: number }) {
  const order = sweepOrder(page.orderBy, page.orderDir);
  const conditions = shareConditions(page);
  const { scope } = tx;
  if (scope.kind === 'all' || scope.providerIds.length === 1)
    return sql`SELECT s.operation_id, s.amount_units FROM sweep_share s
      WHERE ${ownRows(tx, 's')} ${conditions} ORDER BY ${wayOfWalk(page)}, ${order}`;
  const enough =
    page.limit === undefined
      ? sql``
      : sql`ORDER BY ${order} LIMIT ${sql.lit(reachOf({ limit: page.limit, offset: page.offset ?? 0 }))}`;
  return sql`SELECT operation_id, amount_units FROM (${sql.join(
    partsInScope(tx).map((part) => sql`(SELECT * FROM (${part}) s WHERE true ${conditions} ${enough})`),
    sql` UNION ALL `,
  )}) found ORDER BY ${order}`;
}

/**
 * The operations of somebody with several providers, in parts that share none, each in the order of an index: those of one
 * provider alone, and those that several have a part of, with the sums kept for the reader's set of providers. A set that
 * is not kept is added up: one of the last two parts is always empty, and costs nothing.
 */
function partsInScope(tx: Tx): RawBuilder<unknown>[] {
  const columns = sql`SELECT s.operation_id, s.community_id, s.recipient_type, s.status, s.created_at`;
  const ids = tx.scope.kind === 'all' ? [] : tx.scope.providerIds;
  return [
    ...ids.map(
      (id) => sql`${columns}, s.amount_units FROM sweep_share s
        WHERE NOT s.is_shared AND s.provider_id = ${id}::uuid`,
    ),
    sql`${columns}, s.amount_units FROM sweep_in_set s WHERE s.set_id = (SELECT app.provider_set())`,
    sql`${columns}, sum(s.amount_units) AS amount_units FROM sweep_share s
      WHERE (SELECT app.provider_set()) IS NULL AND s.is_shared AND ${ownRows(tx, 's')}
      GROUP BY s.operation_id, s.community_id, s.recipient_type, s.status, s.created_at`,
  ];
}

/** All rows have the same provider or none. PostgreSQL knows an order within NULLs only when it is asked for. */
const wayOfWalk = ({ orderDir }: Pick<SweepPage, 'orderDir'>) =>
  orderDir === 'desc' ? sql`s.provider_id DESC` : sql`s.provider_id ASC`;

/** The statement behind the export: the same rows in the same order as the list. */
export function exportStatement(tx: Tx, page: Omit<SweepPage, 'limit' | 'offset'>) {
  return sql`
    SELECT r.created_at, o.status, o.recipient_type, c.name AS community, o.recipient_address,
      r.total_amount, o.consolidate_transaction_hash, o.distribute_transaction_hash, r.updated_at, o.id
    FROM (SELECT operation_id, row_number() OVER () AS position FROM (${inOrder(tx, page)}) ordered) found
    JOIN sweep_operation o ON o.id = found.operation_id
    ${communityOf(tx)}
    CROSS JOIN LATERAL (SELECT ${operationColumns(tx)}) r
    ORDER BY found.position`.compile(tx.sql);
}

/** Headings of the export, in order. */
export const EXPORT_COLUMNS = {
  created_at: 'Date',
  status: 'Status',
  recipient_type: 'Recipient Type',
  community: 'Community',
  recipient_address: 'Recipient Address',
  total_amount: 'Amount (USDT)',
  consolidate_transaction_hash: 'Consolidate Tx',
  distribute_transaction_hash: 'Distribute Tx',
  updated_at: 'Updated',
  id: 'Operation ID',
};

/** How far into a list a page reaches, a power of two above its offset: each number is a statement to keep prepared. */
function reachOf({ offset, limit }: { offset: number; limit: number }): number {
  return limit + (offset === 0 ? 0 : 2 ** Math.ceil(Math.log2(offset)));
}
