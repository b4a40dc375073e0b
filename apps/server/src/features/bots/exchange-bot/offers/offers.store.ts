import { type Insertable, sql, type Updateable } from 'kysely';
import type { WriteTx } from '../../../../platform/db/database.ts';
import type { ExchangeBotCoupon, ExchangeBotFaq, ExchangeBotPlan } from '../../../../platform/db/schema.ts';

/** Plans, coupons or questions of one bot that are not deleted. */
export async function countOffers(
  tx: WriteTx,
  botId: string,
): Promise<{ plans: number; coupons: number; faqs: number }> {
  const { rows } = await sql<{ plans: number; coupons: number; faqs: number }>`SELECT
    (SELECT count(*)::int FROM exchange_bot_plan WHERE bot_id = ${botId} AND deleted_at IS NULL) AS plans,
    (SELECT count(*)::int FROM exchange_bot_coupon WHERE bot_id = ${botId} AND deleted_at IS NULL) AS coupons,
    (SELECT count(*)::int FROM exchange_bot_faq WHERE bot_id = ${botId}) AS faqs`.execute(tx.sql);
  return rows[0] ?? { plans: 0, coupons: 0, faqs: 0 };
}

type New<T> = Insertable<T> & { id: string };

export async function insertPlan(tx: WriteTx, plan: New<ExchangeBotPlan>): Promise<void> {
  await tx.sql.insertInto('exchange_bot_plan').values(plan).execute();
}

export async function updatePlan(
  tx: WriteTx,
  id: string,
  changes: Pick<Updateable<ExchangeBotPlan>, 'name' | 'is_active'>,
): Promise<void> {
  await tx.sql.updateTable('exchange_bot_plan').set(changes).where('id', '=', id).execute();
}

export async function deletePlan(tx: WriteTx, id: string): Promise<void> {
  await sql`UPDATE exchange_bot_plan SET deleted_at = now() WHERE id = ${id}`.execute(tx.sql);
}

export async function insertCoupon(tx: WriteTx, coupon: New<ExchangeBotCoupon>): Promise<void> {
  await tx.sql.insertInto('exchange_bot_coupon').values(coupon).execute();
}

export async function deleteCoupon(tx: WriteTx, id: string): Promise<void> {
  await sql`UPDATE exchange_bot_coupon SET deleted_at = now() WHERE id = ${id}`.execute(tx.sql);
}

export async function insertFaq(tx: WriteTx, faq: New<ExchangeBotFaq>): Promise<void> {
  await tx.sql.insertInto('exchange_bot_faq').values(faq).execute();
}

export async function updateFaq(
  tx: WriteTx,
  id: string,
  changes: Pick<Updateable<ExchangeBotFaq>, 'question' | 'answer'>,
): Promise<void> {
  await tx.sql
    .updateTable('exchange_bot_faq')
    .set({ ...changes, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

export async function deleteFaq(tx: WriteTx, id: string): Promise<void> {
  await tx.sql.deleteFrom('exchange_bot_faq').where('id', '=', id).execute();
}

/** Numbers the questions of a language in this order. */
export async function orderFaqs(tx: WriteTx, ids: readonly string[]): Promise<void> {
  await sql`UPDATE exchange_bot_faq q SET place = o.place - 1
    FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS o (id, place)
    WHERE q.id = o.id AND q.place <> o.place - 1`.execute(tx.sql);
}
