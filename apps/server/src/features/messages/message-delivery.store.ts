import type { Language } from '@copydesk/domain/catalogue';
import type { MessageProblem } from '@copydesk/domain/messages';
import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/** A message held exclusively by this worker until its lease ends. */
export interface ClaimedMessage {
  id: string;
  text: string;
  /** Null: the addressee has no Telegram id. */
  chat_id: string | null;
  attempts: number;
  lease_number: string;
  language: Language;
  /** The change of a wallet that its owner may answer about; null: none, or an answer would not count. */
  question: { changeId: string; wallet: string; payableFrom: string } | null;
}

/** The outcome of an attempt. */
export type Delivery =
  | { state: 'sent'; telegramMessageId: number; text: string }
  | { state: 'failed'; problem: MessageProblem; detail: string | null }
  | { state: 'queued'; problem: MessageProblem; detail: string | null; retryAt: Date };

/** A chat accepts one message per second. */
const CHAT_PAUSE_MS = 1_000;

/** The pool does not wait for the owner of its community any more. */
const isWithdrawn = sql`NOT EXISTS (
  SELECT FROM pooled_account p JOIN harvest_cycle h ON h.pooled_account_id = p.id AND h.ended_at IS NULL
  WHERE p.community_id = m.community_id AND h.status = 'awaiting_bybit_withdrawal')`;

/** The requested amount is no longer owed: paid, cancelled or archived since the message was written. */
const isMoot = sql`CASE m.kind
  WHEN 'invoice_paid' THEN false
  WHEN 'wallet_changed' THEN false
  WHEN 'withdrawal_ordered' THEN false
  WHEN 'withdrawal_refused' THEN false
  WHEN 'withdrawal_needs_address' THEN EXISTS (
    SELECT FROM trader t WHERE t.id = m.trader_id AND t.external_wallet_address IS NOT NULL)
  WHEN 'wallet_confirmed' THEN false
  WHEN 'wallet_disowned' THEN false
  WHEN 'wallet_no_effect' THEN false
  WHEN 'withdrawal_cancelled' THEN false
  WHEN 'trial_ending' THEN false
  WHEN 'payment_failed' THEN false
  WHEN 'grace_ending' THEN false
  WHEN 'subscription_ended' THEN false
  WHEN 'unpaid_invoices' THEN NOT EXISTS (
    SELECT FROM invoice i WHERE i.trader_id = m.trader_id AND i.status = 'pending' AND NOT i.is_archived
      AND i.harvest_cycle_id IS NULL AND i.invoice_type = 'regular')
  WHEN 'withdraw_funds' THEN ${isWithdrawn}
  WHEN 'withdraw_reminder' THEN ${isWithdrawn}
  ELSE NOT EXISTS (SELECT FROM invoice i WHERE i.id = m.invoice_id AND i.status = 'pending' AND NOT i.is_archived)
END`;

/**
 * What the owner of a changed wallet is asked, read now and from the change itself: the API can write a row of messages, and
 * must not choose the address that a confirmation is about.
 */
const question = sql`CASE WHEN m.kind = 'wallet_changed' THEN (
  SELECT json_build_object('changeId', a.id, 'wallet', a.address,
    'payableFrom', app.iso(a.changed_at + app.address_hold()))
  FROM payout_address_change a JOIN trader t ON t.id = m.trader_id
  WHERE m.dedupe_key = 'wallet_changed:' || a.id AND a.owner_kind = 'trader' AND a.owner_id = m.trader_id::text
    AND a.released_at IS NULL AND a.address IS NOT NULL
    AND app.telegram_counts(t.telegram_user_id, t.telegram_set_at) AND app.words_count()
    AND NOT EXISTS (SELECT FROM payout_address_word w WHERE w.change_id = a.id)) END`;

/**
 * Claims due messages: the oldest of each addressee, and none while another of the addressee is in progress or was just sent.
 * Two workers never claim the same message: locked rows are skipped, and claimed ones are not due. Messages that ask
 * for money no longer owed leave the queue permanently.
 */
export async function claimMessages(
  tx: WriteTx,
  { at, limit, leaseMs }: { at: Date; limit: number; leaseMs: number },
): Promise<{ claimed: ClaimedMessage[]; mootIds: string[] }> {
  const leasedUntil = new Date(at.getTime() + leaseMs);
  const { rows } = await sql<ClaimedMessage & { is_moot: boolean }>`
    -- Materialized: as the inner side of a join it could run again and claim more than the limit.
    WITH due AS MATERIALIZED (
      SELECT d.id FROM message d
      WHERE d.state = 'queued' AND d.due_at <= ${at} AND ${providerInScope(tx, 'd.provider_id')}
        AND NOT EXISTS (
          SELECT FROM message o WHERE (o.trader_id = d.trader_id OR o.community_id = d.community_id)
            AND (o.state = 'queued' AND (o.created_at, o.id) < (d.created_at, d.id)
              OR o.sent_at > ${new Date(at.getTime() - CHAT_PAUSE_MS)}))
      ORDER BY d.due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE message m SET leased_until = ${leasedUntil}, due_at = ${leasedUntil}, lease_number = m.lease_number + 1
    FROM due WHERE m.id = due.id
    RETURNING m.id, m.text, m.language, ${question} AS question, coalesce(
        (SELECT nullif(t.telegram_user_id, '') FROM trader t WHERE t.id = m.trader_id),
        (SELECT c.owner_telegram_id::text FROM community c WHERE c.id = m.community_id)) AS chat_id, m.attempts, m.lease_number::text,
      ${isMoot} AS is_moot`.execute(tx.sql);
  const mootIds = rows.filter((row) => row.is_moot).map(({ id }) => id);
  if (mootIds.length > 0)
    await sql`DELETE FROM message WHERE id = ANY (${mootIds}::uuid[]) AND ${providerInScope(tx, 'provider_id')}`.execute(
      tx.sql,
    );
  return { claimed: rows.filter((row) => !row.is_moot), mootIds };
}

/** Records the outcome of an attempt; false when the lease was lost, and with it the right to write. */
export async function recordDelivery(
  tx: WriteTx,
  { id, lease_number }: ClaimedMessage,
  { at, delivery }: { at: Date; delivery: Delivery },
): Promise<boolean> {
  const isSent = delivery.state === 'sent';
  const { numAffectedRows } = await sql`
    UPDATE message SET state = ${delivery.state}, attempts = attempts + 1, leased_until = NULL,
      due_at = ${delivery.state === 'queued' ? delivery.retryAt : at}, sent_at = ${isSent ? at : null},
      problem = ${isSent ? null : delivery.problem}, problem_detail = ${isSent ? null : delivery.detail},
      telegram_message_id = ${isSent ? delivery.telegramMessageId : null},
      text = ${isSent ? delivery.text : sql`text`}
    WHERE id = ${id} AND state = 'queued' AND lease_number = ${lease_number}
      AND ${providerInScope(tx, 'provider_id')}`.execute(tx.sql);
  return numAffectedRows === 1n;
}
