import { LANGUAGES } from '@copydesk/domain/catalogue';
import { CANCEL_REASONS, couponCode } from '@copydesk/domain/exchange-bot';
import { INVOICE_STATUSES } from '@copydesk/domain/invoices';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, decimalString, id, line, paging, queryInteger, telegramNumber, timestamp } from '../fields.ts';
import { writeOffReason } from '../invoices/invoice-acts.ts';
import { refined } from '../refined.ts';
import { orWaits } from '../transfers/orders.ts';

const sale = z.object({
  /** Of the invoice. */
  id,
  trader_id: id,
  trader_name: z.string().nullable(),
  telegram_username: z.string().nullable(),
  status: z.enum(INVOICE_STATUSES),
  /** Whether an act on it waits for another super admin. */
  is_awaiting_approval: z.boolean(),
  /** Why it was cancelled; null while it is not. */
  cancelled_because: z.enum(CANCEL_REASONS).nullable(),
  plan_id: id,
  plan_name: z.string(),
  days: z.int(),
  /** The plan's price when it was ordered, USDT. */
  price: decimalString,
  /** What the buyer pays, USDT. */
  amount: decimalString,
  paid_amount: decimalString,
  /** What was paid of it before a person ended it, and became credit, USDT; null: nothing. */
  credited_amount: decimalString.nullable(),
  /** The community's part when it was ordered; the rest is the platform's. */
  community_percentage: decimalString,
  /** Null: without a coupon. */
  coupon_code: z.string().nullable(),
  payment_address: z.string(),
  /** From then on an unpaid order is cancelled. */
  expires_at: timestamp,
  /** The time that was bought; null while it is not paid. */
  access_from: timestamp.nullable(),
  access_until: timestamp.nullable(),
  created_at: timestamp,
});

/** An order on its own, with the bot that sold it. */
const order = sale.extend({
  bot_id: id,
  bot_username: z.string(),
  community_id: id,
  community: z.string(),
  telegram_user_id: z.string().nullable(),
  /** What the coupon took off, USDT; null: without one. */
  discount_amount: decimalString.nullable(),
  sold_at: timestamp.nullable(),
  /** When it was cancelled or expired; null: it was not, or long ago. */
  ended_at: timestamp.nullable(),
  /** When a payment paid it after its end; null: none did. */
  revived_at: timestamp.nullable(),
});

const code = z.string().max(64).transform(couponCode);
/** Orders and their payments are money. */
const money = { permission: 'super', idempotent: true } as const;
const seen = { permission: 'super', recentAuth: false } as const;

const part = {
  sold: z.int(),
  /** USDT. */
  amount: decimalString,
};

/** What the bots of communities have sold (super-admin spec, section 7). */
export const exchangeBotSaleCalls = entries({
  'POST /api/exchange-bot/invoices': {
    ...money,
    recentAuth: false,
    summary:
      'Orders a plan for a buyer, who becomes a pending trader of the community if Telegram knows no other',
    body: refined(
      z.strictObject({
        plan_id: id,
        trader_id: id.optional().describe('a trader of the community'),
        buyer: z
          .strictObject({
            telegram_user_id: telegramNumber,
            telegram_username: line.max(64).nullable().default(null),
            name: line.max(200).nullable().default(null),
            language: z.enum(LANGUAGES).default('en'),
          })
          .optional()
          .describe('in place of trader_id'),
        coupon_code: code.optional(),
      }),
      ({ trader_id, buyer }) => (trader_id === undefined) !== (buyer === undefined),
      { error: 'Give either a trader or a buyer', path: ['trader_id'] },
    ),
    answer: ok(sale),
    status: 201,
    errors: [
      'not_found',
      'community_archived',
      'bot_switched_off',
      'plan_not_offered',
      'no_deposit_address',
      'coupon_unknown',
      'coupon_refused',
      'order_waits',
      'open_sale_above_limit',
    ],
    perMinute: 600,
  },
  'POST /api/exchange-bot/invoices/{id}/apply-coupon': {
    ...money,
    recentAuth: false,
    summary:
      'Applies a coupon to an order: once, and before anything was paid. What it takes counts as written off by the caller',
    params: byId,
    body: z.strictObject({ coupon_code: code, reason: writeOffReason }),
    answer: ok(orWaits(sale)),
    mayWait: true,
    errors: [
      'not_found',
      'coupon_unknown',
      'coupon_refused',
      'coupon_applied',
      'sale_settled',
      'sale_part_paid',
      'payment_on_its_way',
      'order_waits',
      'write_off_reason_required',
    ],
    perMinute: 600,
  },
  'GET /api/exchange-bot/invoices/user/{id}': {
    ...seen,
    summary: 'The orders of a trader, newest first',
    params: byId,
    query: z.strictObject({ status: z.enum(INVOICE_STATUSES).optional(), ...paging }),
    answer: page(sale, { total: z.int() }),
    errors: ['not_found'],
  },
  'GET /api/exchange-bot/invoices/{id}': {
    ...seen,
    summary: 'An order of a bot',
    params: byId,
    answer: ok(order),
    errors: ['not_found'],
  },
  'PATCH /api/exchange-bot/invoices/{id}/status': {
    ...money,
    recentAuth: true,
    summary: 'Cancels an unpaid order, marks it as paid off-platform, or as unpaid again',
    params: byId,
    body: z.strictObject({
      status: z.enum(INVOICE_STATUSES),
      reason: writeOffReason,
      paid_becomes_credit: z
        .literal(true)
        .optional()
        .describe('cancels an order of which a part was paid: that part becomes the credit of its buyer'),
    }),
    answer: ok(orWaits(sale)),
    mayWait: true,
    errors: [
      'not_found',
      'sale_settled',
      'sale_part_paid',
      'payment_on_its_way',
      'invoice_cancelled',
      'invoice_paid_on_chain',
      'payout_made',
      'other_order_open',
      'order_waits',
      'write_off_reason_required',
    ],
  },
  'GET /api/exchange-bot/{id}/sales': {
    ...seen,
    summary: 'The orders of a bot, newest first',
    params: byId,
    query: z.strictObject({ status: z.enum(INVOICE_STATUSES).optional(), ...paging }),
    answer: page(sale, { total: z.int() }),
    errors: ['not_found'],
  },
  'GET /api/exchange-bot/{id}/sales/figures': {
    ...seen,
    summary:
      'What a bot has sold in the last days, by day (UTC), plan and coupon, and how many have access now',
    params: byId,
    query: z.strictObject({ days: queryInteger(1, 366).optional() }),
    answer: ok(
      z.object({
        from: z.iso.date(),
        total: z.object(part),
        /** Without empty days. */
        days: z.array(z.object({ day: z.iso.date(), ...part })),
        plans: z.array(z.object({ plan_id: id, plan_name: z.string(), ...part })),
        /** With the USDT that each coupon took off. */
        coupons: z.array(z.object({ code: z.string(), ...part, discount: decimalString })),
        subscribers: z.int(),
        /** The community's part of new orders; the rest is the platform's. */
        community_percentage: decimalString,
      }),
    ),
    errors: ['not_found'],
  },
  'GET /api/exchange-bot/{id}/subscribers': {
    ...seen,
    summary: 'Who has access through a bot, by its end, the next to end first',
    params: byId,
    query: z.strictObject(paging),
    answer: page(
      z.object({
        trader_id: id,
        trader_name: z.string().nullable(),
        telegram_username: z.string().nullable(),
        plan_name: z.string(),
        access_until: timestamp,
      }),
      { total: z.int() },
    ),
    errors: ['not_found'],
  },
});
