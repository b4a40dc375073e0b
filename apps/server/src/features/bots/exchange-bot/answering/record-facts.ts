import type { Language } from '@copydesk/domain/catalogue';
import { factReply, type SaleFact } from '@copydesk/domain/exchange-bot';
import { type RawBuilder, sql } from 'kysely';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../../platform/db/database.ts';
import { renderReply } from '../texts/render-reply.ts';
import { BOT_ACTOR } from './bot-actor.ts';
import { queueReplies } from './bot-messages.store.ts';
import type { ChatKey } from './chats.store.ts';

/** Buyers learn of the end of their time this long before. */
const BEFORE_END = '3 days';
/** An order that expired longer ago is no news. */
const WORTH_SAYING = '1 day';
/** Sales per transaction, few enough to release their locks quickly. */
const BATCH = 100;

interface Sale {
  invoice_id: string;
  bot_id: string;
  plan_name: string;
  /** Null: it was not paid. */
  access_until: Date | null;
  /** Base units; null: nothing became credit. */
  credit_units: string | null;
  /** Null: the buyer has not written to the bot, which then cannot write either. */
  telegram_user_id: string | null;
  language: Language;
  is_worth_saying: boolean;
}

/** Locks sales with a fact that was not said; others at work on the same are skipped. */
async function lockUnnoted(
  tx: WriteTx,
  unnoted: RawBuilder<unknown>,
  isWorthSaying: RawBuilder<unknown>,
): Promise<Sale[]> {
  const { rows } = await sql<Sale>`
    SELECT s.invoice_id, s.bot_id, p.name AS plan_name, s.access_until, s.credit_units::text, c.telegram_user_id::text, c.language,
      ${isWorthSaying} AS is_worth_saying
    FROM exchange_bot_sale s JOIN exchange_bot_plan p ON p.id = s.plan_id JOIN trader t ON t.id = s.trader_id
    LEFT JOIN exchange_bot_chat c ON c.bot_id = s.bot_id AND c.telegram_user_id =
      CASE WHEN t.telegram_user_id ~ '^[1-9][0-9]{0,15}$' THEN t.telegram_user_id::bigint END
    WHERE ${unnoted} LIMIT ${BATCH} FOR NO KEY UPDATE OF s SKIP LOCKED`.execute(tx.sql);
  return rows;
}

async function say(tx: WriteTx, fact: SaleFact['kind'], sales: readonly Sale[], at: Date): Promise<void> {
  for (const sale of sales) {
    if (sale.telegram_user_id === null || !sale.is_worth_saying) continue;
    const { language, bot_id: botId } = sale;
    const planName = sale.plan_name;
    const reply = factReply(
      fact === 'order_expired'
        ? { kind: fact, planName }
        : fact === 'order_credited'
          ? { kind: fact, planName, creditUnits: BigInt(sale.credit_units ?? 0) }
          : { kind: fact, planName, until: sale.access_until as Date },
    );
    const chat = { botId, telegramUserId: Number(sale.telegram_user_id) };
    const factKey = `${fact}:${sale.invoice_id}`;
    await queueReplies(tx, [{ chat, ...renderReply(reply, language), factKey }], at);
  }
}

/** Queues the messages about payments. @param chat only this buyer's, right after an order */
export async function recordPaid(tx: WriteTx, { at, chat }: { at: Date; chat?: ChatKey }): Promise<number> {
  const whose = chat
    ? sql`AND s.bot_id = ${chat.botId} AND c.telegram_user_id = ${chat.telegramUserId}`
    : sql``;
  const sales = await lockUnnoted(
    tx,
    sql`s.sold_at IS NOT NULL AND s.paid_noted_at IS NULL ${whose}`,
    sql`true`,
  );
  await say(tx, 'paid', sales, at);
  await sql`UPDATE exchange_bot_sale SET paid_noted_at = ${at}
    WHERE invoice_id = ANY (${sales.map(({ invoice_id }) => invoice_id)}::uuid[])`.execute(tx.sql);
  return sales.length;
}

/** Queues the messages about the end of access, unless the buyer has bought more, or the time was that short at all. */
async function recordEnding(tx: WriteTx, at: Date): Promise<number> {
  const before = sql`${BEFORE_END}::interval`;
  const sales = await lockUnnoted(
    tx,
    sql`s.access_until IS NOT NULL AND s.ending_noted_at IS NULL AND s.access_until <= ${at}::timestamptz + ${before}`,
    sql`s.access_until > ${at} AND s.access_until - s.access_from > ${before} AND NOT EXISTS (
      SELECT FROM exchange_bot_sale later WHERE later.trader_id = s.trader_id AND later.bot_id = s.bot_id
        AND later.access_until IS NOT NULL AND later.access_until > s.access_until)`,
  );
  await say(tx, 'ending', sales, at);
  await sql`UPDATE exchange_bot_sale SET ending_noted_at = ${at}
    WHERE invoice_id = ANY (${sales.map(({ invoice_id }) => invoice_id)}::uuid[])`.execute(tx.sql);
  return sales.length;
}

/**
 * Queues the messages about orders whose time to pay is over. Left out are buyers who have ordered again, and
 * orders that ended long ago, as after a time without workers or before these messages existed.
 */
async function recordExpired(tx: WriteTx, at: Date): Promise<number> {
  const sales = await lockUnnoted(
    tx,
    sql`s.cancelled_because = 'expired' AND s.expired_noted_at IS NULL`,
    sql`s.expires_at > ${at}::timestamptz - ${WORTH_SAYING}::interval AND NOT EXISTS (
      SELECT FROM exchange_bot_sale later WHERE later.trader_id = s.trader_id AND later.bot_id = s.bot_id
        AND later.created_at > s.created_at)`,
  );
  await say(tx, 'order_expired', sales, at);
  await sql`UPDATE exchange_bot_sale SET expired_noted_at = ${at}
    WHERE invoice_id = ANY (${sales.map(({ invoice_id }) => invoice_id)}::uuid[])`.execute(tx.sql);
  return sales.length;
}

/** Queues the messages about orders that a person ended after a part was paid. */
async function recordCredited(tx: WriteTx, at: Date): Promise<number> {
  const sales = await lockUnnoted(
    tx,
    sql`s.credit_units IS NOT NULL AND s.credit_noted_at IS NULL`,
    sql`true`,
  );
  await say(tx, 'order_credited', sales, at);
  await sql`UPDATE exchange_bot_sale SET credit_noted_at = ${at}
    WHERE invoice_id = ANY (${sales.map(({ invoice_id }) => invoice_id)}::uuid[])`.execute(tx.sql);
  return sales.length;
}

/** Queues the facts that buyers must know about their sales. @returns whether more may wait */
export async function recordFacts({ db, now }: { db: Database; now: () => Date }): Promise<boolean> {
  const noted = (work: (tx: WriteTx) => Promise<number>) => db.write(WHOLE_SCOPE, BOT_ACTOR, work);
  const paid = await noted((tx) => recordPaid(tx, { at: now() }));
  const ending = await noted((tx) => recordEnding(tx, now()));
  const expired = await noted((tx) => recordExpired(tx, now()));
  const credited = await noted((tx) => recordCredited(tx, now()));
  return [paid, ending, expired, credited].includes(BATCH);
}
