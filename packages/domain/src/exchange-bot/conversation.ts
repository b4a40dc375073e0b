import { LANGUAGES, type Language } from '../catalogue.ts';
import type { BotTextKey } from './bot-texts.ts';
import { type CouponRefusal, couponCode } from './coupons.ts';

/** What a bot knows of a chat between two updates. */
export interface BotChat {
  language: Language;
  /** The order for which the next text is a coupon. */
  awaitsCouponOf: string | null;
  /** The payload of the link by which the person came first. */
  source: string | null;
}

/** What a person did. */
export type BotInput =
  | { kind: 'start'; payload: string | null }
  | { kind: 'text'; text: string }
  | { kind: 'press'; data: string };

export interface BotPlan {
  id: string;
  name: string;
  days: number;
  amountUnits: bigint;
}

/** An order that waits for its payment. */
export interface BotOrder {
  invoiceId: string;
  planId: string;
  planName: string;
  /** What is still to be paid. */
  outstandingUnits: bigint;
  paidUnits: bigint;
  address: string;
  hasCoupon: boolean;
  expiresAt: Date;
}

/** What the bot offers to this person, in the person's language. */
export interface BotOffers {
  botName: string;
  /** By price. */
  plans: readonly BotPlan[];
  questions: readonly { id: string; question: string; answer: string }[];
  /** The open order of the person; there is one at most. */
  order: BotOrder | null;
  /** The time that the person has bought, to its end. */
  access: { planName: string; until: Date } | null;
}

/** Amounts are base units of USDT. */
export type BotValues = Readonly<Record<string, string | number | bigint | Date>>;

export interface BotButton {
  label: BotTextKey | { plan: BotPlan } | { text: string };
  /** What a press sends back: at most 64 bytes. */
  data: string;
}

export interface BotReply {
  text: BotTextKey;
  values: BotValues;
  buttons: readonly (readonly BotButton[])[];
  /** Shown as the picture of its QR code. */
  qrText: string | null;
}

/** What the bot does for the person. */
export type BotAct =
  | { kind: 'order'; planId: string }
  | { kind: 'coupon'; invoiceId: string; code: string }
  | { kind: 'cancel'; invoiceId: string };

export type BotActRefusal =
  | 'not_sold'
  | 'order_part_paid'
  | 'order_over'
  | 'payment_on_its_way'
  | 'coupon_unknown'
  | 'coupon_applied'
  | 'coupon_no_effect'
  | `coupon_${CouponRefusal}`;

/** What came of an act. `order`: the open order afterwards; null: there is none, because it is paid or cancelled. */
export type BotOutcome = { refusal: null; order: BotOrder | null } | { refusal: BotActRefusal };

export interface BotTurn {
  chat: BotChat;
  replies: readonly BotReply[];
  /** Done before anything is replied: see `replyToAct`. */
  act: BotAct | null;
}

const PAYLOAD_LENGTH = 8;
const PLAN_PAYLOAD = new RegExp(`^plan_([0-9a-f]{${PAYLOAD_LENGTH}})$`);
const SOURCE = /^[A-Za-z0-9_-]{1,64}$/;
const NETWORK = 'BNB Smart Chain (BEP-20)';
const CODE_LENGTH = 64;

const MENU: BotReply['buttons'] = [
  [
    { label: 'button_prices', data: 'prices' },
    { label: 'button_access', data: 'access' },
  ],
  [
    { label: 'button_questions', data: 'questions' },
    { label: 'button_language', data: 'language' },
  ],
];
const TO_MENU: BotButton[] = [{ label: 'button_menu', data: 'menu' }];

/** The payload of a link that opens a plan, as in https://t.me/bot?start=payload. */
export const planPayload = (planId: string): string => `plan_${planId.slice(0, PAYLOAD_LENGTH)}`;

function say(text: BotTextKey, buttons: BotReply['buttons'] = [TO_MENU], values: BotValues = {}): BotReply {
  return { text, values, buttons, qrText: null };
}

/**
 * Decides what a bot answers to an update: replies, and at most one act. It knows neither Telegram nor the database: the
 * same state, input and offers give the same turn.
 */
export function converse(before: BotChat, input: BotInput, offers: BotOffers): BotTurn {
  const chat: BotChat = { ...before, awaitsCouponOf: null };
  const turn = (...replies: BotReply[]): BotTurn => ({ chat, replies, act: null });
  const act = (wanted: BotAct): BotTurn => ({ chat, replies: [], act: wanted });

  if (input.kind === 'start') {
    const begins = PLAN_PAYLOAD.exec(input.payload ?? '')?.[1];
    const plan = offers.plans.find(({ id }) => begins !== undefined && id.startsWith(begins));
    if (plan) return turn(planReply(plan));
    const isSource = begins === undefined && SOURCE.test(input.payload ?? '');
    return {
      ...turn(say('welcome', MENU, { bot: offers.botName })),
      chat: { ...chat, source: chat.source ?? (isSource ? input.payload : null) },
    };
  }
  if (input.kind === 'text') {
    if (before.awaitsCouponOf === null || input.text.startsWith('/')) return turn(say('menu', MENU));
    const code = couponCode(input.text).slice(0, CODE_LENGTH);
    return act({ kind: 'coupon', invoiceId: before.awaitsCouponOf, code });
  }

  const [name = '', id = ''] = input.data.split(':');
  switch (name) {
    case 'prices':
      return turn(
        offers.plans.length === 0
          ? say('no_plans', MENU)
          : say('prices', pageOf(planRows(offers.plans), { name: 'prices', asked: id })),
      );
    case 'plan': {
      const plan = offers.plans.find((one) => one.id === id);
      return turn(plan ? planReply(plan) : say('not_sold', MENU));
    }
    case 'order':
      // A second press must not make a second order.
      if (offers.order?.planId === id) return turn(invoiceReply(offers.order));
      // What a press sends back comes from the person's device: it may name a plan of another bot.
      return offers.plans.some((plan) => plan.id === id)
        ? act({ kind: 'order', planId: id })
        : turn(say('not_sold', MENU));
    case 'invoice':
      return turn(offers.order ? invoiceReply(offers.order) : say('order_over', MENU));
    case 'coupon': {
      if (offers.order?.invoiceId !== id) return turn(say('order_over', MENU));
      const asked = say('ask_coupon', [[{ label: 'button_invoice', data: 'invoice' }]]);
      return { chat: { ...chat, awaitsCouponOf: id }, replies: [asked], act: null };
    }
    case 'cancel':
      return offers.order?.invoiceId === id
        ? act({ kind: 'cancel', invoiceId: id })
        : turn(say('order_over', MENU));
    case 'access':
      return turn(accessReply(offers), ...(offers.order ? [invoiceReply(offers.order)] : []));
    case 'questions': {
      const rows = offers.questions.map((one) => [
        { label: { text: one.question }, data: `question:${one.id}` },
      ]);
      return turn(
        rows.length === 0
          ? say('no_questions', MENU)
          : say('questions', pageOf(rows, { name: 'questions', asked: id })),
      );
    }
    case 'question': {
      const found = offers.questions.find((one) => one.id === id);
      const back = [{ label: 'button_questions', data: 'questions' } as const, ...TO_MENU];
      return turn(
        found ? say('answer', [back], { question: found.question, answer: found.answer }) : say('menu', MENU),
      );
    }
    case 'language': {
      const language = LANGUAGES.find((one) => one === id);
      if (!language) return turn(say('choose_language', [...languageRows(), TO_MENU]));
      return { chat: { ...chat, language }, replies: [say('language_chosen', MENU)], act: null };
    }
    default:
      return turn(say('menu', MENU));
  }
}

/** Decides what a bot says about an act that was done or refused. */
export function replyToAct(chat: BotChat, act: BotAct, outcome: BotOutcome): Omit<BotTurn, 'act'> {
  if (outcome.refusal !== null) {
    const isOfCoupon = outcome.refusal.startsWith('coupon_');
    // A mistyped coupon may be typed again.
    const again = isOfCoupon && outcome.refusal !== 'coupon_applied' && act.kind === 'coupon';
    return {
      chat: { ...chat, awaitsCouponOf: again ? act.invoiceId : null },
      replies: [
        say(outcome.refusal, isOfCoupon ? [[{ label: 'button_invoice', data: 'invoice' }], TO_MENU] : MENU),
      ],
    };
  }
  const { order } = outcome;
  if (act.kind === 'cancel') return { chat, replies: [say('order_cancelled', MENU)] };
  // Paid at once, by money that was left over: the message about the payment says so.
  if (!order) return { chat, replies: [] };
  if (act.kind === 'order') return { chat, replies: [invoiceReply(order)] };
  const values = { code: act.code, amount: order.outstandingUnits };
  return { chat, replies: [say('coupon_used', [], values), invoiceReply(order)] };
}

/** A fact about a sale that the buyer did not ask for. */
export type SaleFact =
  | { kind: 'paid' | 'ending'; planName: string; until: Date }
  /** The order was not paid in time. */
  | { kind: 'order_expired'; planName: string }
  /** A person ended it; the part that was paid, in base units, is the buyer's credit. */
  | { kind: 'order_credited'; planName: string; creditUnits: bigint };

export function factReply(fact: SaleFact): BotReply {
  const prices = [{ label: 'button_prices', data: 'prices' } as const];
  if (fact.kind === 'order_expired') return say(fact.kind, [prices, TO_MENU], { plan: fact.planName });
  if (fact.kind === 'order_credited')
    return say(fact.kind, [prices, TO_MENU], { plan: fact.planName, amount: fact.creditUnits });
  const values = { plan: fact.planName, until: fact.until };
  return say(fact.kind, fact.kind === 'paid' ? MENU : [prices, TO_MENU], values);
}

const planRows = (plans: readonly BotPlan[]): BotButton[][] =>
  plans.map((plan) => [{ label: { plan }, data: `plan:${plan.id}` }]);

/** Telegram refuses keyboards of more than 100 buttons, and those of about 10 kB: 20 of the longest labels are 7. */
const PAGE = 20;

/**
 * One page of a list as buttons, with those that lead to the pages beside it, and to the menu.
 * @param list.asked the page from 1, as a press sends it: anything, since it comes from a person's device
 */
function pageOf(
  rows: readonly BotButton[][],
  { name, asked }: { name: string; asked: string },
): BotReply['buttons'] {
  const pages = Math.ceil(rows.length / PAGE);
  const page = /^[1-9][0-9]{0,3}$/.test(asked) ? Math.min(Number(asked), pages) : 1;
  const to = (other: number, text: string): BotButton[] =>
    other < 1 || other > pages ? [] : [{ label: { text }, data: `${name}:${other}` }];
  const beside = [...to(page - 1, `‹ ${page - 1} / ${pages}`), ...to(page + 1, `${page + 1} / ${pages} ›`)];
  return [...rows.slice((page - 1) * PAGE, page * PAGE), ...(beside.length > 0 ? [beside] : []), TO_MENU];
}

const planReply = (plan: BotPlan): BotReply =>
  say(
    'plan',
    [
      [{ label: 'button_order', data: `order:${plan.id}` }],
      [{ label: 'button_prices', data: 'prices' }, ...TO_MENU],
    ],
    { plan: plan.name, days: plan.days, amount: plan.amountUnits },
  );

function invoiceReply(order: BotOrder): BotReply {
  const isUntouched = order.paidUnits === 0n;
  const coupon = { label: 'button_coupon', data: `coupon:${order.invoiceId}` } as const;
  const cancel = { label: 'button_cancel', data: `cancel:${order.invoiceId}` } as const;
  return {
    text: 'invoice',
    values: {
      plan: order.planName,
      amount: order.outstandingUnits,
      network: NETWORK,
      address: order.address,
      until: order.expiresAt,
    },
    buttons: [
      ...(isUntouched && !order.hasCoupon ? [[coupon]] : []),
      isUntouched ? [cancel, ...TO_MENU] : TO_MENU,
    ],
    // Wallets read a plain address; not all read an amount beside it.
    qrText: order.address,
  };
}

const accessReply = ({ access }: BotOffers): BotReply =>
  access ? say('access', MENU, { plan: access.planName, until: access.until }) : say('no_access', MENU);

const LANGUAGE_LABELS = {
  en: 'English',
  es: 'Español',
  ar: 'العربية',
  pl: 'Polski',
  ru: 'Русский',
} as const satisfies Record<Language, string>;

const languageRows = (): BotButton[][] =>
  LANGUAGES.map((language) => [{ label: { text: LANGUAGE_LABELS[language] }, data: `language:${language}` }]);
