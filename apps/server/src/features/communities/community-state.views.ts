import { unitsToDecimal } from '@copydesk/domain/money';
import { type RawBuilder, sql } from 'kysely';
import { traderLabel } from '../../core/traders/trader-columns.ts';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope, traderInScope } from '../../platform/db/scope-filter.ts';

/** Whether the traders of a community had any AUM at the last reading. */
export async function hasAum(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{ has_aum: boolean }>`
    SELECT coalesce(sum(t.aum), 0) <> 0 AS has_aum FROM trader t
    WHERE t.community_id = ${id} AND ${traderInScope(tx, 't.id')}`.execute(tx.sql);
  return rows[0]?.has_aum ?? false;
}

/** Whether recipients of the community are still owed shares of paid invoices. */
export async function hasUnpaidShares(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_owed: boolean }>`
    SELECT EXISTS (SELECT FROM payable y WHERE y.community_id = ${id} AND y.paid_at IS NULL AND y.settled_at IS NULL
      AND ${communityInScope(tx, 'y.community_id')}) AS is_owed`.execute(tx.sql);
  return rows[0]?.is_owed ?? false;
}

/** What is open at a community: the sum in base units, of how many, and the largest of them in words. */
export interface OpenAtCommunity {
  count: number;
  units: bigint;
  details: { path: string; message: string }[];
}

/** The most that a refusal names one by one. */
const NAMED = 20;

async function findOpen(tx: Tx, rows: RawBuilder<unknown>): Promise<OpenAtCommunity> {
  const { rows: found } = await sql<{
    path: string;
    trader: string;
    units: string;
    count: number;
    sum: string;
  }>`
    SELECT o.id AS path, ${traderLabel('a trader')} AS trader,
      o.units::text AS units, (count(*) OVER ())::int AS count, (sum(o.units) OVER ())::text AS sum
    FROM (${rows}) o JOIN trader t ON t.id = o.trader_id
    ORDER BY o.units DESC, o.id LIMIT ${NAMED}`.execute(tx.sql);
  return {
    count: found[0]?.count ?? 0,
    units: BigInt(found[0]?.sum ?? 0),
    details: found.map(({ path, trader, units }) => ({
      path,
      message: `${trader}: ${unitsToDecimal(BigInt(units))} USDT`,
    })),
  };
}

/** Unpaid invoices and orders of the community, with the open amount of each. */
export const findOpenInvoices = (tx: Tx, id: string): Promise<OpenAtCommunity> =>
  findOpen(
    tx,
    sql`SELECT i.id, i.trader_id, i.amount_units - i.paid_units AS units FROM invoice i
      WHERE i.community_id = ${id} AND i.status = 'pending' AND NOT i.is_archived
        AND ${communityInScope(tx, 'i.community_id')}`,
  );

/** The credit of the community's traders: what they paid and no invoice took. By trader. */
export const findCredit = (tx: Tx, id: string): Promise<OpenAtCommunity> =>
  findOpen(
    tx,
    sql`SELECT p.trader_id AS id, p.trader_id, sum(p.open_units) AS units
      FROM payment p JOIN trader c ON c.id = p.trader_id
      WHERE c.community_id = ${id} AND p.open_units > 0 AND ${communityInScope(tx, 'c.community_id')}
      GROUP BY p.trader_id`,
  );

export async function hasTraders(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{ has_traders: boolean }>`
    SELECT EXISTS (SELECT FROM trader t
      WHERE t.community_id = ${id} AND ${traderInScope(tx, 't.id')}) AS has_traders`.execute(tx.sql);
  return rows[0]?.has_traders ?? false;
}

/** The references that prevent the deletion of a community without traders: its movements of money, by table. */
export async function listReferences(tx: Tx, id: string): Promise<{ path: string; message: string }[]> {
  const { rows } = await sql<{ path: string; message: string }>`
    SELECT r.path, r.message FROM community c CROSS JOIN LATERAL (VALUES
      ('invoices', 'it has invoices', EXISTS (SELECT FROM invoice i WHERE i.community_id = c.id)),
      ('payables', 'it has shares to be paid out', EXISTS (SELECT FROM payable p WHERE p.community_id = c.id)),
      ('payouts', 'it has payouts', EXISTS (SELECT FROM payout s WHERE s.community_id = c.id)),
      ('subscription', 'it has or had a subscription',
        EXISTS (SELECT FROM community_subscription b WHERE b.community_id = c.id)),
      ('pooled_account', 'it has a pooled account',
        EXISTS (SELECT FROM pooled_account a WHERE a.community_id = c.id)),
      ('ledger', 'its wallet has entries in the ledger',
        EXISTS (SELECT FROM ledger_account l WHERE l.kind = 'community_wallet' AND l.owner_id = c.id)),
      ('invoicing_runs', 'invoices are being made for it',
        EXISTS (SELECT FROM invoicing_run n WHERE n.community_id = c.id AND n.state IN ('running', 'sending')))
    ) r (path, message, is_there)
    WHERE c.id = ${id} AND ${communityInScope(tx, 'c.id')} AND r.is_there`.execute(tx.sql);
  return rows;
}
