import type { RecipientType } from '@copydesk/domain/catalogue';
import type { OpenDeduction } from '@copydesk/domain/invoices';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

interface Part {
  recipient_type: RecipientType;
  units: string;
}

const splitOf = (split: readonly Part[]) =>
  split.map(({ recipient_type, units }) => ({ recipientType: recipient_type, amountUnits: BigInt(units) }));

/** The invoice that charged a close, and by how much too much it did, as far as nothing was deducted yet. */
export interface Overcharge {
  traderId: string;
  communityId: string;
  providerId: string;
  invoiceId: string;
  commissionRate: string;
  split: OpenDeduction['split'];
  /** Base units, rounded down. */
  units: bigint;
}

/**
 * The amount that an invoice charged too much for a close, if the close is still as it was seen. The trader
 * is locked. An invoice that was given up unpaid charged nothing.
 */
export async function findOvercharge(
  tx: WriteTx,
  kind: 'corrected_close' | 'doubled_close',
  { id, seen }: { id: string; seen: string },
): Promise<Overcharge | null> {
  const [over, now] =
    kind === 'corrected_close'
      ? [sql`p.closed_pnl - p.corrected_pnl`, sql`p.corrected_pnl`]
      : [sql`p.closed_pnl`, sql`p.double_of`];
  const { rows } = await sql<Omit<Overcharge, 'split' | 'units'> & { split: Part[]; units: string | null }>`
    SELECT i.trader_id AS "traderId", i.community_id AS "communityId", i.provider_id AS "providerId",
      i.id AS "invoiceId", i.commission_rate::text AS "commissionRate", i.split,
      trunc((${over}) * i.commission_rate * 1000000000000000000
        - coalesce((SELECT sum(x.amount_units - coalesce(x.ended_units, 0)) FROM invoice_deduction x
          WHERE x.subject_id = p.id), 0))::text AS units
    FROM closed_position p JOIN invoice i ON i.id = p.invoice_id
    WHERE p.id = ${id} AND ${now}::text = ${seen} AND NOT app.is_given_up(i)`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  return { ...row, split: splitOf(row.split), units: BigInt(row.units ?? 0) };
}

export async function insertDeduction(
  tx: WriteTx,
  { kind, id, seen }: { kind: string; id: string; seen: string },
  overcharge: Overcharge,
): Promise<void> {
  const split = overcharge.split.map(({ recipientType, amountUnits }) => ({
    recipient_type: recipientType,
    units: amountUnits.toString(),
  }));
  await sql`
    INSERT INTO invoice_deduction (kind, subject_id, seen, trader_id, community_id, provider_id, invoice_id,
      commission_rate, amount_units, split, decided_by, decided_by_id)
    VALUES (${kind}, ${id}, ${seen}, ${overcharge.traderId}, ${overcharge.communityId}, ${overcharge.providerId},
      ${overcharge.invoiceId}, ${overcharge.commissionRate}, ${overcharge.units.toString()},
      ${JSON.stringify(split)}::jsonb, ${tx.actor.name}, ${tx.actor.id})`.execute(tx.sql);
}

/** Ends what no invoice has used of a deduction, by a function of the database. @returns it, base units */
export async function endDeduction(tx: WriteTx, id: string): Promise<bigint> {
  const { rows } = await sql<{ units: string }>`
    SELECT app.end_deduction(${id}, ${tx.actor.id}, ${tx.actor.name})::text AS units`.execute(tx.sql);
  return BigInt(rows[0]?.units ?? 0);
}

/** The trader of a deduction, or null. */
export async function findDeductionTrader(tx: Tx, id: string): Promise<string | null> {
  const { rows } = await sql<{ trader_id: string }>`
    SELECT trader_id FROM invoice_deduction WHERE id = ${id}`.execute(tx.sql);
  return rows[0]?.trader_id ?? null;
}

/** What is left to deduct from invoices of locked traders, the oldest first, by `deductionKey`. */
export async function listDeductions(
  tx: Tx,
  traderIds: readonly string[],
): Promise<Map<string, OpenDeduction[]>> {
  const { rows } = await sql<{ id: string; key: string; left: string; split: Part[] }>`
    SELECT d.id, concat_ws(' ', d.trader_id, d.community_id, d.provider_id) AS key,
      app.deduction_left(d)::text AS left, d.split
    FROM invoice_deduction d WHERE d.trader_id = ANY (${[...traderIds]}::uuid[]) AND app.deduction_left(d) > 0
    ORDER BY d.decided_at, d.id`.execute(tx.sql);
  const byKey = Map.groupBy(rows, ({ key }) => key);
  return new Map(
    [...byKey].map(([key, ofKey]) => [
      key,
      ofKey.map(({ id, left, split }) => ({ id, leftUnits: BigInt(left), split: splitOf(split) })),
    ]),
  );
}

/** Deductions are of one trader, community and provider. */
export const deductionKey = (of: { traderId: string; communityId: string; providerId: string }) =>
  `${of.traderId} ${of.communityId} ${of.providerId}`;

export async function insertUses(
  tx: WriteTx,
  uses: readonly { deductionId: string; invoiceId: string; units: bigint }[],
): Promise<void> {
  if (uses.length === 0) return;
  await sql`INSERT INTO invoice_deduction_use (deduction_id, invoice_id, amount_units)
    SELECT * FROM unnest(${uses.map(({ deductionId }) => deductionId)}::uuid[],
      ${uses.map(({ invoiceId }) => invoiceId)}::uuid[],
      ${uses.map(({ units }) => units.toString())}::numeric[])`.execute(tx.sql);
}
