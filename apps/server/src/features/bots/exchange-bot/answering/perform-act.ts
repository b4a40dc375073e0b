import type { Language } from '@copydesk/domain/catalogue';
import {
  type BotAct,
  type BotActRefusal,
  type BotOutcome,
  refuseCancelling,
} from '@copydesk/domain/exchange-bot';
import type { WriteTx } from '../../../../platform/db/database.ts';
import { inSavepoint } from '../../../../platform/db/savepoint.ts';
import { Refusal } from '../../../../platform/refusal.ts';
import { cancelSales } from '../sales/cancel-sales.ts';
import { applyCoupon } from '../sales/coupon-use.ts';
import { type OrderDeps, orderPlan } from '../sales/order-plan.ts';
import { type LockedSale, lockSales } from '../sales/sale-invoices.store.ts';
import { findBuyerState } from './bot-offers.views.ts';
import type { ChatKey } from './chats.store.ts';
import type { ReadUpdate } from './read-update.ts';

export interface ActContext {
  chat: ChatKey;
  communityId: string;
  person: ReadUpdate['person'];
  /** The language of the chat. */
  language: Language;
  /** The payload of the link by which the person came first; null: none. */
  source: string | null;
  order: OrderDeps;
}

/** Codes of the calls that orders share with the console, in words of the conversation. */
const REFUSALS: Readonly<Record<string, BotActRefusal>> = {
  not_found: 'not_sold',
  community_archived: 'not_sold',
  bot_switched_off: 'not_sold',
  plan_not_offered: 'not_sold',
  no_deposit_address: 'not_sold',
  sale_part_paid: 'order_part_paid',
  sale_settled: 'order_over',
  payment_on_its_way: 'payment_on_its_way',
  coupon_unknown: 'coupon_unknown',
  coupon_applied: 'coupon_applied',
};

/** Performs what a person asked for, or changes nothing: a refusal leaves only its reason. */
export async function performAct(tx: WriteTx, act: BotAct, context: ActContext): Promise<BotOutcome> {
  try {
    await inSavepoint(tx, (attempted) => attempt(attempted, act, context));
  } catch (error) {
    const refusal = error instanceof Refusal ? refusalOf(error) : null;
    if (!refusal) throw error;
    return { refusal };
  }
  const { order } = await findBuyerState(tx, context.chat, context.communityId, context.order.now);
  return { refusal: null, order };
}

async function attempt(
  tx: WriteTx,
  act: BotAct,
  { person, language, source, order }: ActContext,
): Promise<void> {
  if (act.kind === 'order') {
    await orderPlan(tx, order, {
      plan_id: act.planId,
      buyer: {
        telegram_user_id: String(person.telegramUserId),
        telegram_username: person.username,
        name: person.name,
        language,
        referral_code: source,
      },
    });
    return;
  }
  const sale = await requireSale(tx, act.invoiceId);
  if (act.kind === 'coupon')
    return applyCoupon(tx, sale, { code: act.code, platformWeights: order.platformWeights, now: order.now });
  const refusal = refuseCancelling(sale);
  if (refusal) throw new Refusal(refusal);
  await cancelSales(tx, [sale], 'buyer');
}

async function requireSale(tx: WriteTx, invoiceId: string): Promise<LockedSale> {
  const [sale] = await lockSales(tx, [invoiceId]);
  if (!sale) throw new Refusal('sale_settled');
  return sale;
}

function refusalOf({ code, details }: Refusal): BotActRefusal | null {
  if (code !== 'coupon_refused') return REFUSALS[code] ?? null;
  const [reason] = details ?? [];
  return reason ? (`coupon_${reason.message}` as BotActRefusal) : 'coupon_no_effect';
}
