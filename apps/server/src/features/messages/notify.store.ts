import { type RawBuilder, sql } from 'kysely';
import { isOwed } from '../../core/traders/owed-invoices.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';

/** A trader in scope, locked until the transaction ends; null: there is none. */
export async function findTraderToNotify(
  tx: WriteTx,
  traderId: string,
): Promise<{ has_chat: boolean; deposit_address: string | null } | null> {
  const { rows } = await sql<{ has_chat: boolean; deposit_address: string | null }>`
    SELECT coalesce(t.telegram_user_id, '') <> '' AS has_chat, t.deposit_address FROM trader t
    WHERE t.id = ${traderId} AND ${traderInScope(tx, 't.id')} FOR NO KEY UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

export interface UnpaidSum {
  invoice_count: number;
  outstanding_units: string;
  /** The earliest. */
  due_at: Date | null;
  /** The provider of all these invoices; null: there are several. */
  provider_id: string | null;
  payment_address: string | null;
}

/** One row: the total that a trader owes on open invoices. */
const unpaidOf = (tx: Tx, traderId: RawBuilder<unknown>) => sql<UnpaidSum>`
    SELECT count(*)::int AS invoice_count, coalesce(sum(i.amount_units - i.paid_units), 0)::text AS outstanding_units,
      min(i.due_at) AS due_at, max(i.payment_address) AS payment_address,
      CASE WHEN count(DISTINCT i.provider_id) = 1 AND count(i.provider_id) = count(*)
        THEN (array_agg(i.provider_id))[1] END AS provider_id
    FROM invoice i
    WHERE i.trader_id = ${traderId} AND ${isOwed} AND ${providerInScope(tx, 'i.provider_id')}`;

export async function sumUnpaid(tx: WriteTx, traderId: string): Promise<UnpaidSum> {
  const { rows } = await unpaidOf(tx, sql`${traderId}`).execute(tx.sql);
  return rows[0] as UnpaidSum;
}

/**
 * A message to a trader about its unpaid invoices that is unsent, or was asked for less than a minute ago about the same
 * debt, by whomever; or null. A second one reads as a second debt: traders paid twice.
 * @param providerId that of the invoices; null: several
 */
export async function findPresentNotice(
  tx: WriteTx,
  traderId: string,
  providerId: string | null,
): Promise<string | null> {
  const { rows } = await presentNoticeOf(tx, sql`${traderId}`, sql`${providerId}`).execute(tx.sql);
  return rows[0]?.id ?? null;
}

const presentNoticeOf = (tx: Tx, traderId: RawBuilder<unknown>, providerId: RawBuilder<unknown>) => sql<{
  id: string;
}>`
    SELECT m.id FROM message m
    WHERE m.trader_id = ${traderId} AND m.kind = 'unpaid_invoices' AND ${providerInScope(tx, 'm.provider_id')}
      AND (m.state = 'queued' OR m.state = 'sent' AND m.created_at > now() - interval '1 minute'
        AND m.provider_id IS NOT DISTINCT FROM ${providerId}::uuid
        AND NOT EXISTS (SELECT FROM invoice i WHERE i.trader_id = m.trader_id AND i.updated_at > m.created_at
          AND ${providerInScope(tx, 'i.provider_id')}))
    ORDER BY m.created_at DESC LIMIT 1`;

/** What a message about unpaid invoices would meet at each of the traders in `wanted`, as `notifyUnpaid` decides it. */
export const planNotices = (tx: Tx): RawBuilder<unknown> => sql`
  SELECT t.id, w.place, NULL::text AS before, u.outstanding_units::numeric AS amount_units,
    CASE WHEN coalesce(t.telegram_user_id, '') = '' THEN 'not_reachable'
      WHEN u.invoice_count = 0 THEN 'nothing_unpaid'
      WHEN EXISTS (${presentNoticeOf(tx, sql`t.id`, sql`u.provider_id`)}) THEN 'told_lately' END AS reason
  FROM wanted w JOIN trader t ON t.id = w.id AND ${traderInScope(tx, 't.id')}
  CROSS JOIN LATERAL (${unpaidOf(tx, sql`t.id`)}) u`;

/** Whether the last message to a trader that Telegram answered failed because the trader has blocked the bot. */
export async function hasBlocked(tx: WriteTx, traderId: string): Promise<boolean> {
  const { rows } = await sql<{ problem: string | null }>`
    SELECT m.problem FROM message m
    WHERE m.trader_id = ${traderId} AND m.state <> 'queued' AND ${traderInScope(tx, 'm.trader_id')}
    ORDER BY m.created_at DESC, m.id LIMIT 1`.execute(tx.sql);
  return rows[0]?.problem === 'blocked';
}
