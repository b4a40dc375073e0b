import type { RecipientType } from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/** Shares that nobody has begun to pay out, added up by role and address. */
export interface PendingLine {
  recipientType: RecipientType;
  /** In lower case; null: nobody has told one yet. */
  address: string | null;
  units: bigint;
  payableCount: number;
}

interface Row {
  recipient_type: RecipientType;
  address: string | null;
  units: string;
  count: number;
}

/**
 * Pays to where the recipient wants it now; an address of before is taken where no other is known. Who has referred a
 * trader is looked up for its own shares only: joined, all invoices there are might be read for it.
 */
const PENDING = sql`(
  SELECT y.id, y.recipient_type, y.amount_units, lower(coalesce(CASE y.recipient_type
      WHEN 'mark' THEN p.payout_address
      WHEN 'community' THEN c.external_wallet_address
      WHEN 'community_referrer' THEN c.referrer_wallet_address
      WHEN 'trader_referrer' THEN (SELECT r.external_wallet_address FROM invoice i
        JOIN trader t ON t.id = i.trader_id JOIN trader r ON r.id = t.referred_by_trader_id
        WHERE i.id = y.invoice_id)
      ELSE platform.address END, y.recipient_address)) AS address, y.community_id
  FROM payable y
  JOIN community c ON c.id = y.community_id
  LEFT JOIN provider p ON p.id = y.provider_id
  LEFT JOIN platform_recipient platform ON platform.recipient_type = y.recipient_type
  WHERE y.sweep_operation_id IS NULL)`;

/** What a community owes and nobody has begun to pay out, the largest first. */
export async function listPendingLines(tx: Tx, communityId: string): Promise<PendingLine[]> {
  const { rows } = await sql<Row>`
    SELECT y.recipient_type, y.address, sum(y.amount_units)::text AS units, count(*)::int AS count
    FROM ${PENDING} y WHERE y.community_id = ${communityId} AND ${communityInScope(tx, 'y.community_id')}
    GROUP BY y.recipient_type, y.address
    ORDER BY sum(y.amount_units) DESC, y.recipient_type, y.address`.execute(tx.sql);
  return rows.map(lineOf);
}

/** A line, and which shares it adds up. */
export interface PayableLine extends PendingLine {
  payableIds: string[];
}

/** The same with the shares themselves: what is written later is what was read here, whatever comes in meanwhile. */
export async function listPayableLines(tx: Tx, communityId: string): Promise<PayableLine[]> {
  const { rows } = await sql<Row & { payable_ids: string[] }>`
    SELECT y.recipient_type, y.address, sum(y.amount_units)::text AS units, count(*)::int AS count,
      array_agg(y.id) AS payable_ids
    FROM ${PENDING} y WHERE y.community_id = ${communityId} AND ${communityInScope(tx, 'y.community_id')}
    GROUP BY y.recipient_type, y.address
    ORDER BY sum(y.amount_units) DESC, y.recipient_type, y.address`.execute(tx.sql);
  return rows.map((row) => ({ ...lineOf(row), payableIds: row.payable_ids }));
}

const lineOf = (row: Row): PendingLine => ({
  recipientType: row.recipient_type,
  address: row.address,
  units: BigInt(row.units),
  payableCount: row.count,
});
