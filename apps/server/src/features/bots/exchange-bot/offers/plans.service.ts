import { randomUUID } from 'node:crypto';
import type { CallParsed } from '@copydesk/contract';
import { decimalToUnits } from '@copydesk/domain/money';
import type { WriteTx } from '../../../../platform/db/database.ts';
import { requirePlainTexts } from '../../../../platform/http/plain-texts.ts';
import { Refusal } from '../../../../platform/refusal.ts';
import { lockBot, lockOffer, MOST_OFFERS, mustFind, refusingTaken } from './change-offer.ts';
import * as store from './offers.store.ts';
import { findPlan, type Plan, withoutBot } from './offers.views.ts';

/** @throws Refusal `not_found`, `text_refused`, `plan_name_taken`, `too_many_offers` */
export async function addPlan(
  tx: WriteTx,
  botId: string,
  { name, days, amount, is_active }: CallParsed<'POST /api/exchange-bot/{id}/pricing'>['body'],
): Promise<Plan> {
  requirePlainTexts({ name });
  const bot = await lockBot(tx, botId);
  if ((await store.countOffers(tx, botId)).plans >= MOST_OFFERS) throw new Refusal('too_many_offers');
  const id = randomUUID();
  const plan = { id, bot_id: botId, name, days, is_active, amount_units: String(decimalToUnits(amount)) };
  await refusingTaken(store.insertPlan(tx, plan));
  tx.audit({
    action: 'exchange_bot.plan_added',
    target: { kind: 'community', id: bot.communityId },
    after: { name, days, amount, is_active },
  });
  return withoutBot(mustFind(await findPlan(tx, id)));
}

/** Setting a value again changes nothing. @throws Refusal `not_found`, `text_refused`, `plan_name_taken` */
export async function changePlan(
  tx: WriteTx,
  id: string,
  wanted: CallParsed<'PATCH /api/exchange-bot/pricing/{id}'>['body'],
): Promise<Plan> {
  const { offer, bot } = await lockOffer(tx, () => findPlan(tx, id));
  const after = {
    ...(wanted.name !== undefined && wanted.name !== offer.name ? { name: wanted.name } : {}),
    ...(wanted.is_active !== undefined && wanted.is_active !== offer.is_active
      ? { is_active: wanted.is_active }
      : {}),
  };
  if (Object.keys(after).length > 0) {
    requirePlainTexts({ name: after.name });
    await refusingTaken(store.updatePlan(tx, id, after));
    tx.audit({
      action: 'exchange_bot.plan_changed',
      target: { kind: 'community', id: bot.communityId },
      before: { name: offer.name, is_active: offer.is_active },
      after: { name: offer.name, is_active: offer.is_active, ...after },
    });
  }
  return withoutBot(mustFind(await findPlan(tx, id)));
}

/** @throws Refusal `not_found` */
export async function removePlan(tx: WriteTx, id: string): Promise<void> {
  const { offer, bot } = await lockOffer(tx, () => findPlan(tx, id));
  await store.deletePlan(tx, id);
  tx.audit({
    action: 'exchange_bot.plan_removed',
    target: { kind: 'community', id: bot.communityId },
    before: { name: offer.name, days: offer.days, amount: offer.amount },
  });
}
