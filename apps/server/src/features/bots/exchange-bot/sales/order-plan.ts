import { randomInt, randomUUID, randomUUIDv7 } from 'node:crypto';
import type { CallParsed } from '@copydesk/contract';
import { planBotInvoice } from '@copydesk/domain/exchange-bot';
import type { PlatformWeights } from '@copydesk/domain/invoices';
import { invoiceIssued } from '@copydesk/domain/ledger';
import { createReferralCode } from '@copydesk/domain/traders';
import { postJournals } from '../../../../core/ledger/ledger.service.ts';
import type { OrderRules } from '../../../../core/transfers/orders/place-order.ts';
import { orderWriteOff } from '../../../../core/transfers/orders/write-off.ts';
import type { WriteTx } from '../../../../platform/db/database.ts';
import { Refusal } from '../../../../platform/refusal.ts';
import * as buyers from './buyers.store.ts';
import { cancelSales } from './cancel-sales.ts';
import { takeCoupon } from './coupon-use.ts';
import { insertSaleInvoice, lockSales } from './sale-invoices.store.ts';
import { findOrderedPlan, findRevived, insertSale, listOpenSales, type OrderedPlan } from './sales.store.ts';

export interface OrderDeps {
  platformWeights: PlatformWeights;
  /** The community's part of new orders. */
  communityPercentage: string;
  now: Date;
  /** Limits of the person who orders for the buyer; none where the buyer itself does. */
  orderRules?: OrderRules;
  /** Applies what a trader has paid before to its open invoices. */
  applyOpenPayments(
    tx: WriteTx,
    traderIds: readonly string[],
    options: { isOrderedByBuyer: boolean },
  ): Promise<unknown>;
}

type CalledOrder = CallParsed<'POST /api/exchange-bot/invoices'>['body'];
/** As in the call; a bot also knows by whose link a buyer came. */
export type Order = Omit<CalledOrder, 'buyer'> & {
  buyer?: NonNullable<CalledOrder['buyer']> & { referral_code?: string | null };
};

/**
 * Orders a plan: makes its invoice, and the buyer a pending trader of the community. A buyer has one open
 * order with a bot, since all its payments arrive at one address: an earlier one is cancelled, unless a part
 * of it was paid.
 * If a late payment has revived an order of the same plan and its buyer was not told yet, that order is
 * returned.
 * @returns the id of the invoice
 * @throws Refusal `not_found`, `community_archived`, `bot_switched_off`, `plan_not_offered`,
 *   `no_deposit_address`,
 * `coupon_unknown`, `coupon_refused`, `sale_part_paid`, `order_waits`, `open_sale_above_limit`
 */
export async function orderPlan(tx: WriteTx, deps: OrderDeps, order: Order): Promise<string> {
  const plan = await requirePlan(tx, order.plan_id);
  const buyer = await findOrAddBuyer(tx, plan, order);
  const revived = await findRevived(tx, { planId: plan.id, traderId: buyer.id });
  if (revived) return revived;
  await cancelOpen(tx, plan, { traderId: buyer.id, orderRules: deps.orderRules });
  const paymentAddress = await addressOf(tx, buyer);
  const coupon =
    order.coupon_code === undefined
      ? null
      : await takeCoupon(tx, {
          botId: plan.botId,
          planId: plan.id,
          traderId: buyer.id,
          priceUnits: plan.amountUnits,
          code: order.coupon_code,
          now: deps.now,
        });
  const amountUnits = coupon?.amountUnits ?? plan.amountUnits;
  const invoice = {
    ...planBotInvoice(amountUnits, deps),
    invoiceId: randomUUIDv7(),
    traderId: buyer.id,
    communityId: plan.communityId,
    paymentAddress,
  };
  await insertSaleInvoice(tx, invoice, deps.now);
  await insertSale(
    tx,
    {
      invoiceId: invoice.invoiceId,
      botId: plan.botId,
      traderId: buyer.id,
      planId: plan.id,
      couponId: coupon?.id ?? null,
      days: plan.days,
      priceUnits: plan.amountUnits,
      discountUnits: plan.amountUnits - amountUnits,
      communityPercentage: deps.communityPercentage,
      expiresAt: invoice.dueAt,
    },
    deps.now,
  );
  await postJournals(tx, [{ draft: invoiceIssued({ ...invoice, providerId: null, offPlatformUnits: 0n }) }]);
  tx.audit({
    action: 'invoice.created',
    target: { kind: 'invoice', id: invoice.invoiceId },
    after: { trader_id: buyer.id, amount_units: amountUnits.toString(), plan_id: plan.id },
  });
  await deps.applyOpenPayments(tx, [buyer.id], { isOrderedByBuyer: deps.orderRules === undefined });
  return invoice.invoiceId;
}

async function requirePlan(tx: WriteTx, id: string): Promise<OrderedPlan> {
  const plan = await findOrderedPlan(tx, id);
  if (!plan) throw new Refusal('not_found');
  if (plan.isCommunityArchived)
    throw new Refusal('community_archived', { message: 'This community is archived' });
  if (!plan.isBotActive) throw new Refusal('bot_switched_off');
  if (!plan.isOffered) throw new Refusal('plan_not_offered');
  return plan;
}

async function findOrAddBuyer(
  tx: WriteTx,
  { communityId }: OrderedPlan,
  { trader_id: traderId, buyer: person }: Order,
): Promise<buyers.Buyer> {
  if (!person) {
    const trader = await buyers.lockBuyer(tx, communityId, traderId as string);
    if (!trader) throw new Refusal('not_found', { message: 'Not found: no such trader in this community' });
    return trader;
  }
  const { telegram_user_id: telegramUserId, telegram_username: telegramUsername, name, language } = person;
  const known = await buyers.lockBuyerByTelegram(tx, communityId, telegramUserId);
  if (known) return known;
  const id = randomUUID();
  const referralCode = createReferralCode(randomInt);
  const referrerId = person.referral_code
    ? await buyers.findReferrer(tx, communityId, person.referral_code)
    : null;
  const added = {
    id,
    communityId,
    telegramUserId,
    telegramUsername,
    name,
    language,
    referralCode,
    referrerId,
  };
  await buyers.insertBuyer(tx, added);
  tx.audit({
    action: 'trader.created',
    target: { kind: 'trader', id },
    after: {
      community_id: communityId,
      telegram_username: telegramUsername,
      name,
      language,
      referred_by_trader_id: referrerId,
    },
  });
  return (await buyers.lockBuyer(tx, communityId, id)) as buyers.Buyer;
}

async function cancelOpen(
  tx: WriteTx,
  { botId }: OrderedPlan,
  { traderId, orderRules }: { traderId: string; orderRules: OrderRules | undefined },
): Promise<void> {
  const open = await lockSales(tx, await listOpenSales(tx, botId, traderId));
  if (open.some(({ paidUnits }) => paidUnits > 0n)) throw new Refusal('sale_part_paid');
  if (orderRules) {
    const replaced = { invoices: open, reason: 'A new order takes its place' };
    const waits = await orderWriteOff(tx, orderRules, 'sale_cancelled', replaced);
    if (waits.order_id) throw new Refusal('open_sale_above_limit');
  }
  await cancelSales(tx, open, 'buyer');
}

async function addressOf(
  tx: WriteTx,
  { id, depositAddress, derivedAddress: address }: buyers.Buyer,
): Promise<string> {
  if (depositAddress !== null) return depositAddress;
  if (address === null) throw new Refusal('no_deposit_address');
  await buyers.saveDepositAddress(tx, id, address);
  tx.audit({
    action: 'trader.deposit_address_given',
    target: { kind: 'trader', id },
    after: { deposit_address: address },
  });
  return address;
}
