import { sql } from 'kysely';
import type { TelegramUpdate } from '../../../integrations/telegram/gateway.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { queueMessages } from '../../outbox/queue-messages.service.ts';

/** A button below the question that `renderWalletQuestion` asks. */
const PRESS = /^wallet:(confirmed|not_me):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** A pressed button of the question about a changed wallet. */
export interface OwnerWord {
  kind: 'confirmed' | 'not_me';
  changeId: string;
  telegramUserId: number;
  botTelegramId: string;
  updateId: number;
}

/** Reads the word of an owner from an update; null: it is about something else, or not from a private chat. */
export function readOwnerWord(
  { update_id: updateId, callback_query: press }: TelegramUpdate,
  botTelegramId: string,
): OwnerWord | null {
  const [, kind, changeId] = PRESS.exec(press?.data ?? '') ?? [];
  if (!press || press.from.is_bot || kind === undefined || changeId === undefined) return null;
  const { chat } = press.message ?? {};
  if (chat?.type !== 'private' || chat.id !== press.from.id) return null;
  return {
    kind: kind as OwnerWord['kind'],
    changeId,
    telegramUserId: press.from.id,
    botTelegramId,
    updateId,
  };
}

export interface HeardWord {
  /** `stranger`: the change is not of this person, who gets no answer. */
  outcome: OwnerWord['kind'] | 'no_effect' | 'repeated' | 'stranger';
  /** The owner says that the address is not theirs, in time or not. */
  isDisowned: boolean;
  traderId: string | null;
}

interface Asked {
  traderId: string;
  providerId: string | null;
  wallet: string | null;
  payableFrom: Date;
  isOpen: boolean;
  hasSpoken: boolean;
}

/**
 * Stores what the owner of a changed address said, and answers. The first word to an open change is the only one; a
 * trigger checks it again and, for a confirmation, releases the address.
 */
export async function hearOwner(tx: WriteTx, word: OwnerWord): Promise<HeardWord> {
  const asked = await findAsked(tx, word);
  if (!asked) return { outcome: 'stranger', isDisowned: false, traderId: null };
  const { traderId } = asked;
  if (asked.hasSpoken && (await isRepeated(tx, word)))
    return { outcome: 'repeated', isDisowned: false, traderId };
  const outcome = asked.isOpen ? word.kind : 'no_effect';
  if (asked.isOpen) await saveWord(tx, word, asked);
  const { wallet, payableFrom } = asked;
  await queueMessages(tx, [
    {
      kind: ANSWERS[outcome],
      traderId,
      providerId: asked.providerId,
      invoiceId: null,
      // One answer for each outcome, however often the owner presses.
      dedupeKey: `${ANSWERS[outcome]}:${word.changeId}`,
      facts: { wallet: wallet ?? '', payableFrom },
    },
  ]);
  return { outcome, isDisowned: word.kind === 'not_me', traderId };
}

const ANSWERS = {
  confirmed: 'wallet_confirmed',
  not_me: 'wallet_disowned',
  no_effect: 'wallet_no_effect',
} as const;

/** The change that the person was asked about, locked if it is the latest; null: this person was not asked. */
async function findAsked(
  tx: WriteTx,
  { changeId, telegramUserId, botTelegramId, kind }: OwnerWord,
): Promise<Asked | null> {
  await sql`SELECT FROM payout_address_change a WHERE a.id = ${changeId} FOR NO KEY UPDATE`.execute(tx.sql);
  const { rows } = await sql<Asked>`
    SELECT t.id AS "traderId", t.selected_provider_id AS "providerId", a.address AS wallet,
      coalesce(a.changed_at + app.address_hold(), now()) AS "payableFrom", w.change_id IS NOT NULL AS "hasSpoken",
      coalesce(a.released_at IS NULL AND a.address IS NOT NULL AND w.change_id IS NULL
        AND lower(t.external_wallet_address) = lower(a.address)
        AND app.telegram_counts(t.telegram_user_id, t.telegram_set_at)
        AND EXISTS (SELECT FROM platform_bot_reading r
          WHERE r.telegram_id = ${botTelegramId} AND r.counts_from <= now())
        AND NOT (${kind} = 'confirmed' AND EXISTS (SELECT FROM address_reading n
          WHERE n.address = lower(a.address) AND n.is_token)), false) AS "isOpen"
    FROM (
      SELECT a.owner_id::uuid AS trader_id FROM payout_address_change a
      WHERE a.id = ${changeId} AND a.owner_kind = 'trader'
      UNION SELECT m.trader_id FROM message m WHERE m.dedupe_key = ${`wallet_changed:${changeId}`}) asked
    JOIN trader t ON t.id = asked.trader_id
    LEFT JOIN payout_address_change a ON a.id = ${changeId} AND a.owner_kind = 'trader' AND a.owner_id = t.id::text
    LEFT JOIN payout_address_word w ON w.change_id = ${changeId}
    WHERE t.telegram_user_id = ${String(telegramUserId)}
    ORDER BY a.id IS NULL LIMIT 1`.execute(tx.sql);
  return rows[0] ?? null;
}

async function isRepeated(tx: WriteTx, { changeId, botTelegramId, updateId }: OwnerWord): Promise<boolean> {
  const { rows } = await sql`SELECT FROM payout_address_word w WHERE w.change_id = ${changeId}
    AND w.bot_telegram_id = ${botTelegramId} AND w.update_id = ${updateId}`.execute(tx.sql);
  return rows.length > 0;
}

async function saveWord(
  tx: WriteTx,
  { kind, changeId, telegramUserId, botTelegramId, updateId }: OwnerWord,
  { traderId, wallet }: Asked,
): Promise<void> {
  await sql`
    INSERT INTO payout_address_word (change_id, kind, trader_id, address, bot_telegram_id, update_id, telegram_user_id)
    VALUES (${changeId}, ${kind}, ${traderId}, ${wallet}, ${botTelegramId}, ${updateId}, ${telegramUserId})`.execute(
    tx.sql,
  );
  tx.audit({
    action: kind === 'confirmed' ? 'payout_address.confirmed' : 'payout_address.disowned',
    target: { kind: 'trader', id: traderId },
    after: { owner_kind: 'trader', address: wallet },
  });
}
