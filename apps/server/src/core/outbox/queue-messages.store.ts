import type { BillingMessageKind } from '@copydesk/domain/billing';
import type { Language } from '@copydesk/domain/catalogue';
import type { MessageKind, OwnerMessageKind } from '@copydesk/domain/messages';
import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';
import type { Addressee } from './render-notice.ts';

export interface NewMessage {
  kind: MessageKind;
  traderId: string;
  providerId: string | null;
  invoiceId: string | null;
  runId?: string;
  dedupeKey: string;
  language: Language;
  text: string;
  delayMs: number;
  isReachable: boolean;
}

/** The recipients of messages, by trader. */
export async function listAddressees(
  tx: WriteTx,
  traderIds: readonly string[],
): Promise<Map<string, Addressee & { hasChat: boolean }>> {
  const { rows } = await sql<{ id: string; language: Language; name: string | null; has_chat: boolean }>`
    SELECT t.id, t.language, coalesce(nullif(t.name, ''), nullif(t.telegram_username, '')) AS name,
      coalesce(t.telegram_user_id, '') <> '' AS has_chat
    FROM trader t
    WHERE t.id = ANY (${[...new Set(traderIds)]}::uuid[]) AND ${traderInScope(tx, 't.id')}`.execute(tx.sql);
  return new Map(rows.map(({ id, language, name, has_chat }) => [id, { language, name, hasChat: has_chat }]));
}

/**
 * Inserts messages in one statement, except those with a known dedupe key. Their times are microseconds apart, so a
 * chat keeps their order.
 * @returns ids by dedupe key of the inserted messages
 */
export async function insertMessages(
  tx: WriteTx,
  messages: readonly NewMessage[],
): Promise<Map<string, string>> {
  const given = messages.map((message, nth) => ({
    nth,
    trader_id: message.traderId,
    provider_id: message.providerId,
    invoice_id: message.invoiceId,
    run_id: message.runId,
    kind: message.kind,
    language: message.language,
    text: message.text,
    dedupe_key: message.dedupeKey,
    is_reachable: message.isReachable,
    delay_s: message.delayMs / 1_000,
  }));
  const { rows } = await sql<{ id: string; dedupe_key: string }>`
    INSERT INTO message (trader_id, provider_id, invoice_id, invoicing_run_id, kind, language, text, dedupe_key, state, problem,
      requested_by, due_at, created_at)
    SELECT trader_id, provider_id, invoice_id, run_id, kind, language, text, dedupe_key,
      CASE WHEN is_reachable THEN 'queued' ELSE 'failed' END, CASE WHEN is_reachable THEN NULL ELSE 'no_chat' END,
      ${tx.actor.name}, now() + make_interval(secs => delay_s), now() + nth * interval '1 microsecond'
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS m (nth integer, trader_id uuid, provider_id uuid,
      invoice_id uuid, run_id uuid, kind text, language text, text text, dedupe_key text, is_reachable boolean,
      delay_s double precision)
    ORDER BY nth
    ON CONFLICT (dedupe_key) DO NOTHING RETURNING id, dedupe_key`.execute(tx.sql);
  return new Map(rows.map(({ id, dedupe_key }) => [dedupe_key, id]));
}

/** A message to the owner of a community. */
export interface NewOwnerMessage {
  communityId: string;
  kind: OwnerMessageKind | BillingMessageKind;
  language: Language;
  text: string;
  dedupeKey: string;
  /** False: the owner has no chat, and the message fails visibly. */
  isReachable: boolean;
}

/** Queues a message to an owner; one with a known dedupe key is skipped. */
export async function queueOwnerMessage(
  tx: WriteTx,
  { communityId, kind, language, text, dedupeKey, isReachable }: NewOwnerMessage,
): Promise<void> {
  await sql`
    INSERT INTO message (community_id, kind, language, text, dedupe_key, state, problem, requested_by)
    VALUES (${communityId}, ${kind}, ${language}, ${text}, ${dedupeKey}, ${isReachable ? 'queued' : 'failed'},
      ${isReachable ? null : 'no_chat'}, ${tx.actor.name})
    ON CONFLICT (dedupe_key) DO NOTHING`.execute(tx.sql);
}

/** Withdraws messages by their dedupe keys, unless sending has begun. */
export async function withdrawMessages(tx: WriteTx, dedupeKeys: readonly string[]): Promise<void> {
  await sql`
    DELETE FROM message
    WHERE dedupe_key = ANY (${[...new Set(dedupeKeys)]}::text[]) AND state = 'queued' AND attempts = 0
      AND leased_until IS NULL AND ${providerInScope(tx, 'provider_id')}`.execute(tx.sql);
}
