import type { CallAnswer } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain/money';
import { type RawBuilder, sql } from 'kysely';
import { seenVersion } from '../../../../platform/audit/seen-version.ts';
import type { Tx } from '../../../../platform/db/database.ts';

export type Plan = CallAnswer<'GET /api/exchange-bot/{id}/pricing'>['data'][number];
export type Coupon = CallAnswer<'GET /api/exchange-bot/{id}/coupons'>['data'][number];
export type Faq = CallAnswer<'GET /api/exchange-bot/{id}/custom-faqs'>['data'][number];

/** A list says how often each coupon was used: counting more would cost more than the list. */
const MOST_COUNTED = 10_000;

/** The bot that an offer belongs to. */
type OfBot<T> = T & { botId: string };

const amountOf = <T extends { units: string | null }>({ units, ...row }: T) => ({
  ...row,
  amount: units === null ? null : unitsToDecimal(BigInt(units)),
});

async function readPlans(tx: Tx, condition: RawBuilder<unknown>): Promise<OfBot<Plan>[]> {
  const { rows } = await sql<Omit<OfBot<Plan>, 'amount'> & { units: string }>`
    SELECT p.id, p.bot_id AS "botId", p.name, p.days, p.amount_units::text AS units, p.is_active,
      app.iso(p.created_at) AS created_at
    FROM exchange_bot_plan p WHERE p.deleted_at IS NULL AND ${condition}
    ORDER BY p.amount_units, p.days, p.id`.execute(tx.sql);
  return rows.map((row) => ({ ...amountOf(row), amount: unitsToDecimal(BigInt(row.units)) }));
}

/** By price. */
export async function listPlans(
  tx: Tx,
  botId: string,
  { isActiveOnly }: { isActiveOnly: boolean },
): Promise<Plan[]> {
  const plans = await readPlans(
    tx,
    isActiveOnly ? sql`p.bot_id = ${botId} AND p.is_active` : sql`p.bot_id = ${botId}`,
  );
  return plans.map(withoutBot);
}

export const findPlan = async (tx: Tx, id: string) => (await readPlans(tx, sql`p.id = ${id}`))[0] ?? null;

async function readCoupons(tx: Tx, condition: RawBuilder<unknown>): Promise<OfBot<Coupon>[]> {
  const { rows } = await sql<Omit<OfBot<Coupon>, 'amount'> & { units: string | null }>`
    SELECT c.id, c.bot_id AS "botId", c.code, c.percent, c.amount_units::text AS units, app.iso(c.starts_at) AS starts_at,
      app.iso(c.ends_at) AS ends_at, c.max_uses, c.max_uses_per_user,
      (SELECT count(*)::int FROM (SELECT FROM exchange_bot_sale s WHERE s.coupon_id = c.id
        AND s.cancelled_because IS NULL LIMIT ${MOST_COUNTED}) u) AS uses, c.plan_ids, app.iso(c.created_at) AS created_at
    FROM exchange_bot_coupon c WHERE c.deleted_at IS NULL AND ${condition}
    ORDER BY c.created_at DESC, c.id`.execute(tx.sql);
  return rows.map(amountOf);
}

/** Newest first. */
export const listCoupons = async (tx: Tx, botId: string): Promise<Coupon[]> =>
  (await readCoupons(tx, sql`c.bot_id = ${botId}`)).map(withoutBot);

export const findCoupon = async (tx: Tx, id: string) => (await readCoupons(tx, sql`c.id = ${id}`))[0] ?? null;

/** The version of the text of a question `q`, which a change of its place does not change. */
const faqVersion = seenVersion<'PATCH /api/exchange-bot/custom-faqs/{id}', 'place'>({
  question: sql`q.question`,
  answer: sql`q.answer`,
});

async function readFaqs(tx: Tx, condition: RawBuilder<unknown>): Promise<OfBot<Faq>[]> {
  const { rows } = await sql<OfBot<Faq>>`
    SELECT q.id, q.bot_id AS "botId", q.language, q.place, q.question, q.answer, app.iso(q.updated_at) AS updated_at,
      ${faqVersion} AS version
    FROM exchange_bot_faq q WHERE ${condition} ORDER BY q.language, q.place, q.id`.execute(tx.sql);
  return rows;
}

/** By language, in order. */
export const listFaqs = async (tx: Tx, botId: string): Promise<Faq[]> =>
  (await readFaqs(tx, sql`q.bot_id = ${botId}`)).map(withoutBot);

export const findFaq = async (tx: Tx, id: string) => (await readFaqs(tx, sql`q.id = ${id}`))[0] ?? null;

export function withoutBot<T extends { botId: string }>({ botId: _, ...offer }: T): Omit<T, 'botId'> {
  return offer;
}
