import { randomUUID } from 'node:crypto';
import type { CallParsed } from '@copydesk/contract';
import { decimalToUnits } from '@copydesk/domain/money';
import type { WriteTx } from '../../../../platform/db/database.ts';
import { requirePlainTexts } from '../../../../platform/http/plain-texts.ts';
import { Refusal } from '../../../../platform/refusal.ts';
import { lockBot, lockOffer, MOST_OFFERS, mustFind, refusingTaken } from './change-offer.ts';
import * as store from './offers.store.ts';
import { type Coupon, findCoupon, listPlans, withoutBot } from './offers.views.ts';

type NewCoupon = CallParsed<'POST /api/exchange-bot/{id}/coupons'>['body'];

/** @throws Refusal `not_found` (the bot, or one of the plans), `text_refused`, `coupon_code_taken`, `too_many_offers` */
export async function addCoupon(tx: WriteTx, botId: string, wanted: NewCoupon): Promise<Coupon> {
  requirePlainTexts({ code: wanted.code });
  const bot = await lockBot(tx, botId);
  if ((await store.countOffers(tx, botId)).coupons >= MOST_OFFERS) throw new Refusal('too_many_offers');
  const { amount, plan_ids, ...terms } = wanted;
  const planIds = [...new Set(plan_ids)];
  const plans = await listPlans(tx, botId, { isActiveOnly: false });
  const chosen = plans.filter(({ id }) => planIds.includes(id));
  if (chosen.length < planIds.length) throw new Refusal('not_found');
  const id = randomUUID();
  await refusingTaken(
    store.insertCoupon(tx, {
      id,
      bot_id: botId,
      ...terms,
      plan_ids: planIds,
      amount_units: amount === null ? null : String(decimalToUnits(amount)),
    }),
  );
  tx.audit({
    action: 'exchange_bot.coupon_added',
    target: { kind: 'community', id: bot.communityId },
    after: { ...terms, amount, plans: chosen.map(({ name }) => name) },
  });
  return withoutBot(mustFind(await findCoupon(tx, id)));
}

/** @throws Refusal `not_found` */
export async function removeCoupon(tx: WriteTx, id: string): Promise<void> {
  const { offer, bot } = await lockOffer(tx, () => findCoupon(tx, id));
  await store.deleteCoupon(tx, id);
  tx.audit({
    action: 'exchange_bot.coupon_removed',
    target: { kind: 'community', id: bot.communityId },
    before: { code: offer.code, percent: offer.percent, amount: offer.amount },
  });
}
