import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';

export interface DueInvoice {
  id: string;
  trader_id: string;
  provider_id: string | null;
  amount_units: string;
  outstanding_units: string;
  due_at: Date;
  payment_address: string;
}

/** Open invoices that come due in a time and whose trader was not told so yet, the earliest first. */
export async function listDueInvoices(
  tx: WriteTx,
  { kind, from, to, limit }: { kind: string; from: Date; to: Date; limit: number },
): Promise<DueInvoice[]> {
  const { rows } = await sql<DueInvoice>`
    SELECT i.id, i.trader_id, i.provider_id, i.amount_units::text, (i.amount_units - i.paid_units)::text AS outstanding_units,
      i.due_at, i.payment_address
    FROM invoice i
    WHERE i.status = 'pending' AND NOT i.is_archived AND i.due_at > ${from} AND i.due_at <= ${to}
      AND i.amount_units > i.paid_units AND ${providerInScope(tx, 'i.provider_id')}
      AND NOT EXISTS (SELECT FROM message m WHERE m.dedupe_key = ${kind}::text || ':' || i.id)
    ORDER BY i.due_at LIMIT ${limit}`.execute(tx.sql);
  return rows;
}

/** Suggests traders as delinquent who are not, and were not suggested before. Returns who they are. */
export async function suggestDelinquent(
  tx: WriteTx,
  traderIds: readonly string[],
  at: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE trader SET suggested_delinquent_at = ${at}
    WHERE id IN (
      SELECT t.id FROM trader t
      WHERE t.id = ANY (${[...new Set(traderIds)]}::uuid[]) AND t.suggested_delinquent_at IS NULL
        AND t.status <> 'delinquent' AND ${traderInScope(tx, 't.id')}
      ORDER BY t.id FOR UPDATE)
    RETURNING id`.execute(tx.sql);
  return rows.map(({ id }) => id);
}
