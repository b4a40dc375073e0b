import type { Language } from '@copydesk/domain/catalogue';
import { sql } from 'kysely';
import { accountsForNewKey, accountsWithEndingKey } from '../../core/exchanges/accounts-for-new-key.views.ts';
import { CHAT_PAUSE_MS, type HeldMessage, MESSAGES } from '../../core/outbox/send-message.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { isPayable } from '../billing/subscriptions.views.ts';

/** A message held exclusively by this worker until its lease ends. */
export interface ClaimedMessage extends HeldMessage {
  text: string;
  /** Null: the addressee has no Telegram id. */
  chatId: string | null;
  language: Language;
  /** The change of a wallet that its owner may answer about; null: none, or an answer would not count. */
  question: { changeId: string; wallet: string; payableFrom: string } | null;
}

/** The pool no longer waits for the owner of its community. */
const isWithdrawn = sql`NOT EXISTS (
  SELECT FROM pooled_account p JOIN harvest_cycle h ON h.pooled_account_id = p.id AND h.ended_at IS NULL
  WHERE p.community_id = r.community_id AND h.status = 'awaiting_bybit_withdrawal')`;

/** The requested amount is no longer owed: paid, cancelled or archived since the message was written. */
const isMoot = sql`CASE r.kind
  WHEN 'invoice_paid' THEN false
  WHEN 'invoice_recalled' THEN false
  WHEN 'wallet_changed' THEN false
  WHEN 'withdrawal_ordered' THEN false
  WHEN 'withdrawal_refused' THEN false
  WHEN 'withdrawal_needs_address' THEN EXISTS (
    SELECT FROM trader t WHERE t.id = r.trader_id AND t.external_wallet_address IS NOT NULL)
  WHEN 'wallet_confirmed' THEN false
  WHEN 'wallet_disowned' THEN false
  WHEN 'wallet_no_effect' THEN false
  WHEN 'withdrawal_cancelled' THEN false
  WHEN 'trial_ending' THEN false
  WHEN 'payment_failed' THEN false
  WHEN 'grace_ending' THEN false
  WHEN 'subscription_ended' THEN false
  WHEN 'payment_link' THEN NOT ${isPayable(sql`r.community_id`)}
  WHEN 'unpaid_invoices' THEN NOT EXISTS (
    SELECT FROM invoice i WHERE i.trader_id = r.trader_id AND i.status = 'pending' AND NOT i.is_archived
      AND i.harvest_cycle_id IS NULL AND i.invoice_type = 'regular')
  WHEN 'key_failing' THEN NOT EXISTS (${accountsForNewKey(sql`r.trader_id`)})
  WHEN 'key_ending' THEN NOT EXISTS (${accountsWithEndingKey(sql`r.trader_id`)})
  WHEN 'withdraw_funds' THEN ${isWithdrawn}
  WHEN 'withdraw_reminder' THEN ${isWithdrawn}
  ELSE NOT EXISTS (SELECT FROM invoice i WHERE i.id = r.invoice_id AND i.status = 'pending' AND NOT i.is_archived)
END`;

/**
 * What the owner of a changed wallet is asked, read now and from the change itself: the API can write a row of messages,
 * and must not choose the address that a confirmation is about.
 */
const question = sql`CASE WHEN r.kind = 'wallet_changed' THEN (
  SELECT json_build_object('changeId', a.id, 'wallet', a.address,
    'payableFrom', app.iso(a.changed_at + app.address_hold()))
  FROM payout_address_change a JOIN trader t ON t.id = r.trader_id
  WHERE r.dedupe_key = 'wallet_changed:' || a.id AND a.owner_kind = 'trader' AND a.owner_id = r.trader_id::text
    AND a.released_at IS NULL AND a.address IS NOT NULL
    AND app.telegram_counts(t.telegram_user_id, t.telegram_set_at) AND app.words_count()
    AND NOT EXISTS (SELECT FROM payout_address_word w WHERE w.change_id = a.id)) END`;

/**
 * Claims due messages: the oldest of each addressee, and none while another of the addressee is in progress or was just
 * sent. Messages that ask for money no longer owed leave the queue permanently.
 */
export async function claimMessages(
  tx: WriteTx,
  { at, limit, leaseMs }: { at: Date; limit: number; leaseMs: number },
): Promise<{ claimed: ClaimedMessage[]; mootIds: string[] }> {
  const rows = await MESSAGES.claim<ClaimedMessage & { isMoot: boolean }>(tx, {
    at,
    leaseMs,
    pick: sql`
      SELECT d.id FROM message d
      WHERE d.state = 'queued' AND ${MESSAGES.isFree('d', at)} AND NOT EXISTS (
        SELECT FROM message o WHERE (o.trader_id = d.trader_id OR o.community_id = d.community_id)
          AND (o.state = 'queued' AND (o.created_at, o.id) < (d.created_at, d.id)
            OR o.sent_at > ${new Date(at.getTime() - CHAT_PAUSE_MS)}))
      ORDER BY d.due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
    returning: sql`r.text, r.language, r.attempts, ${question} AS question, coalesce(
        (SELECT nullif(t.telegram_user_id, '') FROM trader t WHERE t.id = r.trader_id),
        (SELECT c.owner_telegram_id::text FROM community c WHERE c.id = r.community_id)) AS "chatId",
      ${isMoot} AS "isMoot"`,
  });
  const moot = rows.filter(({ isMoot }) => isMoot);
  for (const message of moot) await MESSAGES.remove(tx, message);
  return { claimed: rows.filter(({ isMoot }) => !isMoot), mootIds: moot.map(({ id }) => id) };
}
