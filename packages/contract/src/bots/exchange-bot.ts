import { LANGUAGES } from '@copydesk/domain/catalogue';
import { couponCode } from '@copydesk/domain/exchange-bot';
import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import {
  botToken,
  byId,
  decimalString,
  id,
  line,
  seenBefore,
  seenVersion,
  storedTime,
  timestamp,
  usdtAmount,
} from '../fields.ts';
import { refined } from '../refined.ts';

const language = z.enum(LANGUAGES);
const MOST_DAYS = 3_650;
const MOST_USES = 1_000_000;
/** Telegram's limit of a message is 4,096 characters, and a question is sent above its answer. */
const LONGEST_ANSWER = 3_000;

const bot = z.object({
  id,
  community_id: id,
  /** The id of the bot at Telegram. */
  telegram_id: z.string(),
  /** Without @. */
  username: z.string(),
  name: z.string(),
  language,
  is_active: z.boolean(),
  /**
   * Why it did not work when it was last checked: Telegram refused the token or did not answer, or the stored token could
   * not be decrypted; null: it worked.
   */
  problem: z.enum(['refused', 'unavailable', 'unreadable']).nullable(),
  checked_at: timestamp,
  /** When Telegram last answered the worker that reads the bot; null: never. */
  read_at: timestamp.nullable(),
  /**
   * Why it has not since: the token is refused or cannot be decrypted, another program reads the bot or had set a webhook,
   * or Telegram is silent; null: it answers.
   */
  reading_problem: z.enum(['refused', 'unreadable', 'other_reader', 'webhook', 'unavailable']).nullable(),
  reading_problem_at: timestamp.nullable(),
  created_at: timestamp,
});

/** A bot with how it does; figures over the last 30 days (UTC). */
const listedBot = bot.extend({
  community: z.string(),
  is_archived: z.boolean().describe('whether its community is archived'),
  sold: z.int(),
  /** USDT */
  sold_amount: decimalString,
  /** Who has access now. */
  subscribers: z.int(),
  /** Orders that are neither paid nor cancelled. */
  open_orders: z.int(),
  /** Messages that did not arrive; counted up to 10,000. */
  failed_messages: z.int(),
});

const plan = z.object({
  id,
  name: z.string(),
  days: z.int(),
  /** USDT */
  amount: decimalString,
  is_active: z.boolean(),
  created_at: timestamp,
});

const coupon = z.object({
  id,
  code: z.string(),
  /** Exactly one of these is set: whole percent, or USDT. */
  percent: z.int().nullable(),
  amount: decimalString.nullable(),
  starts_at: timestamp.nullable(),
  ends_at: timestamp.nullable(),
  /** null: unlimited. */
  max_uses: z.int().nullable(),
  max_uses_per_user: z.int().nullable(),
  /** Orders with it that are not cancelled; counted up to 10,000. */
  uses: z.int(),
  /** Empty: every plan. */
  plan_ids: z.array(id),
  created_at: timestamp,
});

const couponTerms = z.strictObject({
  code: z
    .string()
    .transform(couponCode)
    .pipe(z.string().regex(/^[A-Z0-9_-]{3,32}$/, 'Use 3 to 32 letters, digits, - or _')),
  percent: z.int().min(1).max(99).nullable().default(null),
  amount: usdtAmount.nullable().default(null),
  starts_at: storedTime.nullable().default(null),
  ends_at: storedTime.nullable().default(null),
  max_uses: z.int().min(1).max(MOST_USES).nullable().default(null),
  max_uses_per_user: z.int().min(1).max(MOST_USES).nullable().default(null),
  plan_ids: z.array(id).max(100).default([]),
});
const newCoupon = refined(
  refined(couponTerms, ({ percent, amount }) => (percent === null) !== (amount === null), {
    error: 'Give either a percentage or an amount',
    path: ['percent'],
  }),
  // As times: one with fractions of a second sorts before the same second without.
  ({ starts_at: from, ends_at: to }) => from === null || to === null || Date.parse(from) < Date.parse(to),
  { error: 'It ends before it starts', path: ['ends_at'] },
);

const answerText = z.string().trim().min(1).max(LONGEST_ANSWER);
const faq = z.object({
  id,
  language,
  /** Order within the language, from 0. */
  place: z.int(),
  question: z.string(),
  answer: z.string(),
  updated_at: timestamp,
  version: seenVersion.describe('of question and answer'),
});
const list = <T extends z.ZodType>(row: T) => ok(z.array(row));

const managed = { permission: 'super', recentAuth: false } as const;
/** Prices and secrets. */
const guarded = { permission: 'super', recentAuth: true } as const;

/** The bots of communities that sell access, and what they offer (super-admin spec, section 7). */
export const exchangeBotCalls = entries({
  'POST /api/exchange-bot': {
    summary: 'Connects a Telegram bot to a community, after Telegram has accepted its token',
    ...guarded,
    body: z.strictObject({ community_id: id, token: botToken, language: language.default('en') }),
    answer: ok(bot),
    status: 201,
    errors: [
      'not_found',
      'community_archived',
      'bot_exists',
      'bot_taken',
      'bot_refused',
      'telegram_unavailable',
      'subscription_required',
    ],
    perMinute: 10,
  },
  'GET /api/exchange-bots': {
    summary: 'The bots of all communities, by the name of the community, with what they sold',
    ...managed,
    answer: list(listedBot),
    errors: [],
  },
  'GET /api/exchange-bot/{id}': {
    summary: 'A bot, without its token',
    ...managed,
    params: byId,
    answer: ok(bot),
    errors: ['not_found'],
  },
  'PATCH /api/exchange-bot/{id}': {
    summary: 'Changes a bot: its language, whether it answers, its token',
    permission: 'super',
    recentAuth: { whenBodyHas: ['token'] },
    params: byId,
    body: z.strictObject({
      token: botToken.optional(),
      language: language.optional(),
      is_active: z.boolean().optional(),
    }),
    answer: ok(bot),
    errors: ['not_found', 'bot_taken', 'bot_refused', 'telegram_unavailable', 'subscription_required'],
    perMinute: 20,
  },
  'POST /api/exchange-bot/{id}/check': {
    summary: 'Asks Telegram whether the bot still works, and reads its name',
    ...managed,
    params: byId,
    answer: ok(bot),
    errors: ['not_found'],
    perMinute: 20,
  },
  'GET /api/exchange-bot/community/{id}': {
    summary: 'The bot of a community; null: it has none',
    ...managed,
    params: byId,
    answer: ok(bot.nullable()),
    errors: ['not_found'],
  },
  'GET /api/exchange-bot/community/{id}/pricing': {
    summary: 'The plans that the bot of a community offers now, by price',
    ...managed,
    params: byId,
    answer: list(plan),
    errors: ['not_found'],
  },
  'GET /api/exchange-bot/{id}/pricing': {
    summary: 'The plans of a bot by price, including those that it does not offer now',
    ...managed,
    params: byId,
    answer: list(plan),
    errors: ['not_found'],
  },
  'POST /api/exchange-bot/{id}/pricing': {
    summary: 'Adds a plan. Its price and duration never change: delete it and add another one',
    ...guarded,
    params: byId,
    body: z.strictObject({
      name: line,
      days: z.int().min(1).max(MOST_DAYS),
      amount: usdtAmount,
      is_active: z.boolean().default(true),
    }),
    answer: ok(plan),
    status: 201,
    errors: ['not_found', 'text_refused', 'plan_name_taken', 'too_many_offers'],
  },
  'PATCH /api/exchange-bot/pricing/{id}': {
    summary: 'Renames a plan, offers it or stops offering it',
    ...managed,
    params: byId,
    body: z.strictObject({ name: line.optional(), is_active: z.boolean().optional() }),
    answer: ok(plan),
    errors: ['not_found', 'text_refused', 'plan_name_taken'],
  },
  'DELETE /api/exchange-bot/pricing/{id}': {
    summary: 'Deletes a plan. What was sold stays',
    ...managed,
    params: byId,
    answer: ok(z.object({ id })),
    errors: ['not_found'],
  },
  'GET /api/exchange-bot/{id}/coupons': {
    summary: 'The coupons of a bot, newest first',
    ...managed,
    params: byId,
    answer: list(coupon),
    errors: ['not_found'],
  },
  'POST /api/exchange-bot/{id}/coupons': {
    summary: 'Adds a coupon. Its terms never change: delete it and add another one',
    ...guarded,
    params: byId,
    body: newCoupon,
    answer: ok(coupon),
    status: 201,
    errors: ['not_found', 'text_refused', 'coupon_code_taken', 'too_many_offers'],
  },
  'DELETE /api/exchange-bot/coupons/{id}': {
    summary: 'Deletes a coupon. Invoices that carry it keep their price',
    ...managed,
    params: byId,
    answer: ok(z.object({ id })),
    errors: ['not_found'],
  },
  'GET /api/exchange-bot/{id}/custom-faqs': {
    summary: 'The questions that a bot answers, by language and in order',
    ...managed,
    params: byId,
    answer: list(faq),
    errors: ['not_found'],
  },
  'POST /api/exchange-bot/{id}/custom-faqs': {
    summary: 'Adds a question at the end of its language',
    ...managed,
    params: byId,
    body: z.strictObject({ language, question: line, answer: answerText }),
    answer: ok(faq),
    status: 201,
    errors: ['not_found', 'text_refused', 'question_taken', 'too_many_offers'],
  },
  'PATCH /api/exchange-bot/custom-faqs/{id}': {
    summary: 'Changes a question or its answer, or moves it within its language',
    ...managed,
    params: byId,
    body: z.strictObject({
      question: line.optional(),
      answer: answerText.optional(),
      place: z.int().min(0).max(1_000).optional().describe('beyond the last one: the end'),
      version: seenBefore,
    }),
    answer: ok(faq),
    errors: ['not_found', 'changed_meanwhile', 'text_refused', 'question_taken'],
  },
  'DELETE /api/exchange-bot/custom-faqs/{id}': {
    summary: 'Deletes a question',
    ...managed,
    params: byId,
    answer: ok(z.object({ id })),
    errors: ['not_found'],
  },
});
