import type { Language } from '@copydesk/domain/catalogue';
import { traderSourceOf } from '@copydesk/domain/traders';
import { sql } from 'kysely';
import { lockTelegramId } from '../../../../core/traders/telegram-id-lock.ts';
import type { WriteTx } from '../../../../platform/db/database.ts';

/** A trader of a community, locked until the transaction ends. */
export interface Buyer {
  id: string;
  depositAddress: string | null;
  /** Of its index, as a worker derived it from the seed; null: none has yet. */
  derivedAddress: string | null;
}

const columns = sql`t.id, t.deposit_address AS "depositAddress",
  (SELECT d.address FROM deposit_address d WHERE d.deposit_index = t.deposit_index) AS "derivedAddress"`;

export async function lockBuyer(tx: WriteTx, communityId: string, id: string): Promise<Buyer | null> {
  const { rows } = await sql<Buyer>`
    SELECT ${columns} FROM trader t WHERE t.id = ${id} AND t.community_id = ${communityId}
    FOR NO KEY UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

/**
 * The trader of a community with a Telegram id, the oldest if there are several. First orders of one person at once take
 * turns, so they make one trader.
 */
export async function lockBuyerByTelegram(
  tx: WriteTx,
  communityId: string,
  telegramUserId: string,
): Promise<Buyer | null> {
  await lockTelegramId(tx, communityId, telegramUserId);
  const { rows } = await sql<Buyer>`
    SELECT ${columns} FROM trader t
    WHERE t.telegram_user_id = ${telegramUserId} AND t.telegram_user_id <> '' AND t.community_id = ${communityId}
    ORDER BY t.created_at, t.id LIMIT 1 FOR NO KEY UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

/** The trader of a community with this referral code; a trader of another community does not count. */
export async function findReferrer(tx: WriteTx, communityId: string, code: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT t.id FROM trader t WHERE t.referral_code = ${code} AND t.community_id = ${communityId}`.execute(
    tx.sql,
  );
  return rows[0]?.id ?? null;
}

export async function insertBuyer(
  tx: WriteTx,
  buyer: {
    id: string;
    communityId: string;
    telegramUserId: string;
    telegramUsername: string | null;
    name: string | null;
    language: Language;
    referralCode: string;
    /** The trader by whose link the buyer came. */
    referrerId: string | null;
  },
): Promise<void> {
  await sql`
    INSERT INTO trader (id, community_id, telegram_user_id, telegram_username, name, language, referral_code,
      referred_by_trader_id, source, last_updated_by)
    VALUES (${buyer.id}, ${buyer.communityId}, ${buyer.telegramUserId}, ${buyer.telegramUsername}, ${buyer.name},
      ${buyer.language}, ${buyer.referralCode}, ${buyer.referrerId}, ${traderSourceOf(tx.actor)}, ${tx.actor.name})`.execute(
    tx.sql,
  );
}

/** Traders keep the address of their first invoice. */
export async function saveDepositAddress(tx: WriteTx, traderId: string, address: string): Promise<void> {
  await sql`UPDATE trader SET deposit_address = ${address}
    WHERE id = ${traderId} AND deposit_address IS NULL`.execute(tx.sql);
}
