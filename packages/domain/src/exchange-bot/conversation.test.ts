import { expect, test } from 'vitest';
import {
  type BotChat,
  type BotOffers,
  converse,
  factReply,
  planPayload,
  replyToAct,
} from './conversation.ts';

const USDT = 10n ** 18n;
const MONTH = {
  id: 'aaaaaaaa-0000-4000-8000-000000000001',
  name: 'Month',
  days: 30,
  amountUnits: 49n * USDT,
};
const YEAR = {
  id: 'bbbbbbbb-0000-4000-8000-000000000002',
  name: 'Year',
  days: 365,
  amountUnits: 449n * USDT,
};
const ORDER = {
  invoiceId: 'cccccccc-0000-4000-8000-000000000003',
  planId: MONTH.id,
  planName: 'Month',
  outstandingUnits: 49n * USDT,
  paidUnits: 0n,
  address: `0x${'a'.repeat(40)}`,
  hasCoupon: false,
  expiresAt: new Date('2026-03-02T10:00:00Z'),
};
const CHAT: BotChat = { language: 'en', awaitsCouponOf: null, source: null };
const OFFERS: BotOffers = {
  botName: 'Demo',
  plans: [MONTH, YEAR],
  questions: [{ id: 'dddddddd-0000-4000-8000-000000000004', question: 'How?', answer: 'So.' }],
  order: null,
  access: null,
};
const withOrder = { ...OFFERS, order: ORDER };
const press = (data: string) => ({ kind: 'press', data }) as const;
const text = (typed: string) => ({ kind: 'text', text: typed }) as const;
const start = (payload: string | null) => ({ kind: 'start', payload }) as const;
/** The keys of the texts and the data of the buttons of a turn. */
const shown = ({ replies }: Pick<ReturnType<typeof converse>, 'replies'>) =>
  replies.map((reply) => [reply.text, ...reply.buttons.flat().map(({ data }) => data)]);
const MENU = ['prices', 'access', 'questions', 'language'];

test.each([
  ['a start', start(null), OFFERS, [['welcome', ...MENU]]],
  ['a start with an unknown plan', start('plan_99999999'), OFFERS, [['welcome', ...MENU]]],
  [
    'a start with a plan',
    start(planPayload(YEAR.id)),
    OFFERS,
    [['plan', `order:${YEAR.id}`, 'prices', 'menu']],
  ],
  ['an unknown text', text('hello'), OFFERS, [['menu', ...MENU]]],
  ['an unknown button', press('nothing'), OFFERS, [['menu', ...MENU]]],
  ['prices', press('prices'), OFFERS, [['prices', `plan:${MONTH.id}`, `plan:${YEAR.id}`, 'menu']]],
  ['prices without plans', press('prices'), { ...OFFERS, plans: [] }, [['no_plans', ...MENU]]],
  ['a plan that is gone', press('plan:eeeeeeee'), OFFERS, [['not_sold', ...MENU]]],
  ['an order of a plan of another bot', press('order:eeeeeeee'), OFFERS, [['not_sold', ...MENU]]],
  [
    'a second order of the same plan',
    press(`order:${MONTH.id}`),
    withOrder,
    [['invoice', `coupon:${ORDER.invoiceId}`, `cancel:${ORDER.invoiceId}`, 'menu']],
  ],
  [
    'an order with a coupon, paid in part',
    press('invoice'),
    { ...OFFERS, order: { ...ORDER, paidUnits: 1n, hasCoupon: true } },
    [['invoice', 'menu']],
  ],
  ['an order that is over', press('invoice'), OFFERS, [['order_over', ...MENU]]],
  ['a coupon for another order', press('coupon:other'), withOrder, [['order_over', ...MENU]]],
  ['a cancellation of another order', press('cancel:other'), withOrder, [['order_over', ...MENU]]],
  ['access', press('access'), OFFERS, [['no_access', ...MENU]]],
  [
    'access with an open order',
    press('access'),
    { ...withOrder, access: { planName: 'Month', until: new Date() } },
    [
      ['access', ...MENU],
      ['invoice', `coupon:${ORDER.invoiceId}`, `cancel:${ORDER.invoiceId}`, 'menu'],
    ],
  ],
  ['questions', press('questions'), OFFERS, [['questions', `question:${OFFERS.questions[0]?.id}`, 'menu']]],
  ['no questions', press('questions'), { ...OFFERS, questions: [] }, [['no_questions', ...MENU]]],
  ['a question', press(`question:${OFFERS.questions[0]?.id}`), OFFERS, [['answer', 'questions', 'menu']]],
  [
    'a language that is none of ours',
    press('language:de'),
    OFFERS,
    [['choose_language', 'language:en', 'language:es', 'language:ar', 'language:pl', 'language:ru', 'menu']],
  ],
])('answers %s', (_, input, offers, expected) => {
  const turn = converse(CHAT, input, offers);
  expect(shown(turn)).toEqual(expected);
  expect(turn.act).toBeNull();
});

test('the first source of a chat is kept, and a plan is none', () => {
  const first = converse(CHAT, start('ref-Ada_1'), OFFERS).chat;
  expect(first.source).toBe('ref-Ada_1');
  expect(converse(first, start('other'), OFFERS).chat.source).toBe('ref-Ada_1');
  expect(converse(CHAT, start('plan_aaaaaaaa'), OFFERS).chat.source).toBeNull();
  expect(converse(CHAT, start('not a source!'), OFFERS).chat.source).toBeNull();
});

test('a coupon is the text after the question for one, and nothing else', () => {
  expect(converse(CHAT, text('SPRING'), withOrder).act).toBeNull();
  const asked = converse(CHAT, press(`coupon:${ORDER.invoiceId}`), withOrder);
  expect(asked.chat.awaitsCouponOf).toBe(ORDER.invoiceId);
  const typed = converse(asked.chat, text(' spring '), withOrder);
  expect(typed.act).toEqual({ kind: 'coupon', invoiceId: ORDER.invoiceId, code: 'SPRING' });
  expect(typed.chat.awaitsCouponOf).toBeNull();
  for (const other of [press('menu'), start(null), text('/help')])
    expect(converse(asked.chat, other, withOrder)).toMatchObject({
      act: null,
      chat: { awaitsCouponOf: null },
    });
});

test('a refused coupon may be typed again, unless the order has one', () => {
  const act = { kind: 'coupon', invoiceId: ORDER.invoiceId, code: 'X' } as const;
  const after = (refusal: 'coupon_unknown' | 'coupon_applied' | 'order_over') =>
    replyToAct(CHAT, act, { refusal });
  expect(after('coupon_unknown').chat.awaitsCouponOf).toBe(ORDER.invoiceId);
  expect(after('coupon_applied').chat.awaitsCouponOf).toBeNull();
  expect(after('order_over').chat.awaitsCouponOf).toBeNull();
  expect(shown(after('coupon_unknown'))).toEqual([['coupon_unknown', 'invoice', 'menu']]);
});

test('an order shows its address as text and as a picture', () => {
  const act = { kind: 'order', planId: MONTH.id } as const;
  expect(converse(CHAT, press(`order:${MONTH.id}`), OFFERS).act).toEqual(act);
  const [invoice] = replyToAct(CHAT, act, { refusal: null, order: ORDER }).replies;
  expect(invoice).toMatchObject({ text: 'invoice', qrText: ORDER.address, values: { amount: 49n * USDT } });
  // Paid at once by money that was left over.
  expect(replyToAct(CHAT, act, { refusal: null, order: null }).replies).toEqual([]);
});

test('a language counts from the reply to its choice', () => {
  const turn = converse(CHAT, press('language:pl'), OFFERS);
  expect(turn.chat.language).toBe('pl');
  expect(shown(turn)).toEqual([['language_chosen', ...MENU]]);
});

test('no button sends back more than Telegram takes', () => {
  const inputs = ['prices', 'questions', 'language', 'access', `plan:${MONTH.id}`].map(press);
  const turns = [
    ...inputs.map((input) => converse(CHAT, input, withOrder)),
    converse(CHAT, start(null), OFFERS),
  ];
  const fact = factReply({ kind: 'ending', planName: 'Month', until: new Date() });
  const data = [...turns.flatMap(({ replies }) => replies), fact].flatMap(({ buttons }) => buttons.flat());
  for (const button of data) expect(Buffer.byteLength(button.data)).toBeLessThanOrEqual(64);
});

test('a long list has pages of 20, whatever page a press asks for', () => {
  const questions = Array.from({ length: 99 }, (_, n) => ({
    id: `dddddddd-0000-4000-8000-${String(n).padStart(12, '0')}`,
    question: `Question ${n} ${'ж'.repeat(55)}`,
    answer: 'So.',
  }));
  const offers = { ...OFFERS, questions, plans: Array.from({ length: 21 }, () => MONTH) };
  const dataOf = (data: string) =>
    converse(CHAT, press(data), offers)
      .replies[0]?.buttons.flat()
      .map((button) => button.data) ?? [];
  const first = dataOf('questions');
  expect(first).toHaveLength(22);
  expect(first.slice(-2)).toEqual(['questions:2', 'menu']);
  const seen = ['questions', 'questions:2', 'questions:3', 'questions:4', 'questions:5'].flatMap(dataOf);
  expect(new Set(seen.filter((data) => data.startsWith('question:'))).size).toBe(99);
  expect(dataOf('questions:5').slice(-2)).toEqual(['questions:4', 'menu']);
  for (const odd of ['0', '-1', '1e9', 'x', '']) expect(dataOf(`questions:${odd}`)).toEqual(first);
  expect(dataOf('questions:9999')).toEqual(dataOf('questions:5'));
  expect(dataOf('prices')).toHaveLength(22);
  expect(dataOf('prices:2')).toEqual([`plan:${MONTH.id}`, 'prices:1', 'menu']);
});
