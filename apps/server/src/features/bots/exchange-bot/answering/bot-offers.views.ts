import type { Language } from '@copydesk/domain/catalogue';
import type { BotOffers, BotOrder } from '@copydesk/domain/exchange-bot';
import { decimalToUnits } from '@copydesk/domain/money';
import { sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';
import { listFaqs, listPlans } from '../offers/offers.views.ts';
import type { AnsweringBot } from './advance-update.store.ts';
import type { ChatKey } from './chats.store.ts';

interface BuyerRow {
  invoice_id: string | null;
  plan_id: string;
  order_plan: string;
  amount: string;
  paid: string;
  address: string;
  has_coupon: boolean;
  expires_at: Date;
  access_plan: string | null;
  access_until: Date;
}

type BuyerState = Pick<BotOffers, 'order' | 'access'>;

/** The open order of a person with a bot, and the time that the person has bought. */
export async function findBuyerState(
  tx: Tx,
  { botId, telegramUserId }: ChatKey,
  communityId: string,
  at: Date,
): Promise<BuyerState> {
  const { rows } = await sql<BuyerRow>`
    SELECT o.*, a.plan AS access_plan, a.access_until
    FROM (SELECT t.id FROM trader t
      WHERE t.telegram_user_id = ${String(telegramUserId)} AND t.telegram_user_id <> ''
        AND t.community_id = ${communityId}
      ORDER BY t.created_at, t.id LIMIT 1) t
    LEFT JOIN LATERAL (SELECT s.invoice_id, s.plan_id, p.name AS order_plan, i.amount_units::text AS amount,
        i.paid_units::text AS paid, i.payment_address AS address, s.coupon_id IS NOT NULL AS has_coupon, s.expires_at
      FROM exchange_bot_sale s JOIN invoice i ON i.id = s.invoice_id JOIN exchange_bot_plan p ON p.id = s.plan_id
      WHERE s.trader_id = t.id AND s.bot_id = ${botId} AND s.sold_at IS NULL AND s.cancelled_because IS NULL
      ORDER BY s.created_at DESC LIMIT 1) o ON true
    LEFT JOIN LATERAL (SELECT p.name AS plan, s.access_until
      FROM exchange_bot_sale s JOIN exchange_bot_plan p ON p.id = s.plan_id
      WHERE s.trader_id = t.id AND s.bot_id = ${botId} AND s.access_until > ${at}
      ORDER BY s.access_until DESC LIMIT 1) a ON true`.execute(tx.sql);
  const [row] = rows;
  return {
    order: row?.invoice_id ? orderOf({ ...row, invoice_id: row.invoice_id }) : null,
    access: row?.access_plan ? { planName: row.access_plan, until: row.access_until } : null,
  };
}

const orderOf = (row: BuyerRow & { invoice_id: string }): BotOrder => ({
  invoiceId: row.invoice_id,
  planId: row.plan_id,
  planName: row.order_plan,
  outstandingUnits: BigInt(row.amount) - BigInt(row.paid),
  paidUnits: BigInt(row.paid),
  address: row.address,
  hasCoupon: row.has_coupon,
  expiresAt: row.expires_at,
});

/** Everything that a bot offers to a person. */
export async function loadOffers(
  tx: Tx,
  chat: ChatKey,
  { bot, language, at }: { bot: AnsweringBot; language: Language; at: Date },
): Promise<BotOffers> {
  const plans = await listPlans(tx, chat.botId, { isActiveOnly: true });
  const faqs = await listFaqs(tx, chat.botId);
  return {
    botName: bot.name,
    plans: plans.map(({ id, name, days, amount }) => ({
      id,
      name,
      days,
      amountUnits: decimalToUnits(amount) as bigint,
    })),
    questions: faqs.filter((faq) => faq.language === language),
    ...(await findBuyerState(tx, chat, bot.communityId, at)),
  };
}
