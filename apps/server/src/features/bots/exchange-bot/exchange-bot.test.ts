import { type RunningTelegram, startTelegram } from '@copydesk/simulators/telegram';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { ROTATED } from '../../../../../../tests/support/test-keys.ts';
import { rotateMasterKey } from '../../../platform/secrets/rotate-master-key.ts';
import { SEALED_BOT_TOKENS } from './bot/bot-token-box.ts';

/** A part of every token here, which nothing may reveal. */
const CANARY = 'a-secret-part-that-leaks';
const tokenOf = (id: number) => `${id}:demo-${CANARY}`;

let telegram: RunningTelegram;
let product: TestApp;
let superAdmin: string;
let communities: { id: string; name: string }[];
beforeAll(async () => {
  telegram = await startTelegram({
    token: '1000001:of-the-platform',
    chats: { stateOf: () => null },
  });
  product = await createTestApp({
    env: {
      TELEGRAM_API_URL: telegram.url,
      TELEGRAM_TIMEOUT_MS: '500',
    },
  });
  superAdmin = await product.signIn('super');
  communities = (await as('GET /api/communities')).data.filter(
    ({ is_archived }: { is_archived: boolean }) => !is_archived,
  );
});
afterAll(async () => {
  await product.close();
  await telegram.close();
});
afterEach(() => telegram.faults.clear());

async function as(call: string, parts: Parameters<typeof send>[2] = {}) {
  const answer = await send(product.app, call, parts, superAdmin);
  expect(answer.body).not.toContain(CANARY);
  const { data, error } = answer.json();
  return { status: answer.statusCode, data, error };
}
const connect = (community: number, bot: number) =>
  as('POST /api/exchange-bot', {
    body: { community_id: communities[community]?.id, token: tokenOf(bot), language: 'es' },
  });
const at = (id: string) => ({ params: { id } });
const auditsOf = (action: string) =>
  asOwner(product.ownerUrl, 'SELECT before, after FROM audit_entry WHERE action = $1 ORDER BY seq', [action]);

test('a bot is connected once Telegram accepts its token, one to a community', async () => {
  expect(await as('GET /api/exchange-bot/community/{id}', at(communities[0]?.id ?? ''))).toMatchObject({
    status: 200,
    data: null,
  });
  const connected = await connect(0, 2_000_001);
  expect(connected).toMatchObject({
    status: 201,
    data: {
      community_id: communities[0]?.id,
      telegram_id: '2000001',
      username: 'demo_2000001_bot',
      name: 'Demo Bot 2000001',
      language: 'es',
      is_active: true,
      problem: null,
    },
  });
  expect((await as('GET /api/exchange-bot/{id}', at(connected.data.id))).data).toEqual(connected.data);
  expect((await connect(0, 2_000_002)).error).toBe('bot_exists');
  expect((await connect(1, 2_000_001)).error).toBe('bot_taken');
  const refused = await as('POST /api/exchange-bot', {
    body: { community_id: communities[1]?.id, token: `2000003:${CANARY}-unknown` },
  });
  expect(refused).toMatchObject({ status: 422, error: 'bot_refused' });
  telegram.faults.set({ kind: 'down' });
  expect(await connect(1, 2_000_004)).toMatchObject({ status: 503, error: 'telegram_unavailable' });
  expect(await auditsOf('exchange_bot.connected')).toMatchObject([
    { after: { username: 'demo_2000001_bot', language: 'es' } },
  ]);
});

test('of two connections of one bot at once, one succeeds', async () => {
  const both = await Promise.all([connect(1, 2_000_010), connect(2, 2_000_010)]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(both.find(({ status }) => status === 409)?.error).toBe('bot_taken');
});

test('a changed bot keeps its token, and a replaced token is another sealed secret', async () => {
  const { data: bot } = await as('GET /api/exchange-bot/community/{id}', at(communities[0]?.id ?? ''));
  const change = (body: object) => as('PATCH /api/exchange-bot/{id}', { ...at(bot.id), body });
  const stored = async () => {
    const [row] = await asOwner<{ ciphertext: Buffer }>(
      product.ownerUrl,
      'SELECT ciphertext FROM exchange_bot_token WHERE bot_id = $1',
      [bot.id],
    );
    return row?.ciphertext.toString('latin1') ?? '';
  };
  const before = await stored();
  expect(before).not.toContain(CANARY);
  expect((await change({ is_active: false, language: 'pl' })).data).toMatchObject({
    is_active: false,
    language: 'pl',
  });
  expect((await change({ is_active: false })).status).toBe(200);
  expect(await auditsOf('exchange_bot.changed')).toMatchObject([
    { before: { is_active: true, language: 'es' }, after: { is_active: false, language: 'pl' } },
  ]);
  expect(await stored()).toBe(before);
  expect((await change({ token: tokenOf(2_000_010) })).error).toBe('bot_taken');
  expect((await change({ token: tokenOf(2_000_020) })).data.username).toBe('demo_2000020_bot');
  expect(await stored()).not.toBe(before);
  expect(await auditsOf('exchange_bot.token_replaced')).toMatchObject([
    { before: { username: 'demo_2000001_bot' }, after: { username: 'demo_2000020_bot' } },
  ]);
});

test('a check records what Telegram answers, and survives a rotation of the master key', async () => {
  const { data: bot } = await as('GET /api/exchange-bot/community/{id}', at(communities[0]?.id ?? ''));
  const check = async () => (await as('POST /api/exchange-bot/{id}/check', at(bot.id))).data.problem;
  expect(await check()).toBeNull();
  telegram.faults.set({ kind: 'server_error' });
  expect(await check()).toBe('unavailable');
  telegram.faults.clear();
  expect(await check()).toBeNull();

  const { rewrapped } = await rotateMasterKey(product.db, ROTATED.there, [SEALED_BOT_TOKENS]);
  expect(rewrapped).toBeGreaterThan(0);
  expect(await check(), 'the API does not have the new key').toBe('unreadable');
  await rotateMasterKey(product.db, ROTATED.back, [SEALED_BOT_TOKENS]);
  expect(await check()).toBeNull();
});

test('plans are sorted by price, renamed and withdrawn, and never change their terms', async () => {
  const { data: bot } = await as('GET /api/exchange-bot/community/{id}', at(communities[0]?.id ?? ''));
  const add = (body: object) => as('POST /api/exchange-bot/{id}/pricing', { ...at(bot.id), body });
  const year = (await add({ name: 'Year', days: 365, amount: '480.5' })).data;
  const month = (await add({ name: 'Month', days: 30, amount: '50' })).data;
  expect(month).toMatchObject({ name: 'Month', days: 30, amount: '50', is_active: true });
  expect((await add({ name: 'MONTH', days: 31, amount: '51' })).error).toBe('plan_name_taken');
  expect((await add({ name: 'Free', days: 30, amount: '0' })).status).toBe(400);
  const listed = async () =>
    (await as('GET /api/exchange-bot/{id}/pricing', at(bot.id))).data.map(
      ({ name }: { name: string }) => name,
    );
  expect(await listed()).toEqual(['Month', 'Year']);

  const change = (id: string, body: object) =>
    as('PATCH /api/exchange-bot/pricing/{id}', { ...at(id), body });
  expect((await change(month.id, { name: 'year' })).error).toBe('plan_name_taken');
  expect((await change(month.id, { amount: '1' })).status).toBe(400);
  expect((await change(month.id, { name: 'Thirty days', is_active: false })).data).toMatchObject({
    name: 'Thirty days',
    is_active: false,
    amount: '50',
  });
  const offered = async () =>
    (await as('GET /api/exchange-bot/community/{id}/pricing', at(communities[0]?.id ?? ''))).data;
  // The bot is switched off, so it offers nothing.
  expect(await offered()).toEqual([]);
  await as('PATCH /api/exchange-bot/{id}', { ...at(bot.id), body: { is_active: true } });
  expect(await offered()).toMatchObject([{ name: 'Year', amount: '480.5' }]);

  expect((await as('DELETE /api/exchange-bot/pricing/{id}', at(year.id))).status).toBe(200);
  expect((await as('DELETE /api/exchange-bot/pricing/{id}', at(year.id))).status).toBe(404);
  expect(await listed()).toEqual(['Thirty days']);
  expect((await add({ name: 'Year', days: 365, amount: '500' })).status).toBe(201);
  expect(await auditsOf('exchange_bot.plan_removed')).toMatchObject([
    { before: { name: 'Year', days: 365, amount: '480.5' } },
  ]);
});

test('coupons have one kind of discount, a period that ends after it starts, and plans of their bot', async () => {
  const { data: bot } = await as('GET /api/exchange-bot/community/{id}', at(communities[0]?.id ?? ''));
  const { data: plans } = await as('GET /api/exchange-bot/{id}/pricing', at(bot.id));
  const add = (body: object) => as('POST /api/exchange-bot/{id}/coupons', { ...at(bot.id), body });
  const spring = await add({
    code: ' spring-26 ',
    percent: 10,
    max_uses: 100,
    max_uses_per_user: 1,
    starts_at: '2026-03-01T00:00:00.000Z',
    ends_at: '2026-06-01T00:00:00.000Z',
    plan_ids: [plans[0].id, plans[0].id],
  });
  expect(spring).toMatchObject({
    status: 201,
    data: { code: 'SPRING-26', percent: 10, amount: null, plan_ids: [plans[0].id], max_uses: 100 },
  });
  expect((await add({ code: 'Spring-26', amount: '5' })).error).toBe('coupon_code_taken');
  expect((await add({ code: 'FIVE', amount: '5.25' })).data).toMatchObject({ percent: null, amount: '5.25' });
  for (const body of [
    { code: 'NONE' },
    { code: 'BOTH', percent: 5, amount: '5' },
    { code: 'ALL', percent: 100 },
    { code: 'PART', percent: 2.5 },
    { code: 'no spaces', percent: 5 },
    { code: 'LATE', percent: 5, starts_at: '2026-06-01T00:00:00.000Z', ends_at: '2026-06-01T00:00:00.000Z' },
  ])
    expect((await add(body)).status, JSON.stringify(body)).toBe(400);
  expect((await add({ code: 'OTHER', percent: 5, plan_ids: [bot.id] })).status).toBe(404);

  const codes = async () =>
    (await as('GET /api/exchange-bot/{id}/coupons', at(bot.id))).data.map(
      ({ code }: { code: string }) => code,
    );
  expect(await codes()).toEqual(['FIVE', 'SPRING-26']);
  expect((await as('DELETE /api/exchange-bot/coupons/{id}', at(spring.data.id))).status).toBe(200);
  expect(await codes()).toEqual(['FIVE']);
  expect((await add({ code: 'SPRING-26', percent: 20 })).status).toBe(201);
});

test('questions keep their order within a language, without gaps', async () => {
  const { data: bot } = await as('GET /api/exchange-bot/community/{id}', at(communities[0]?.id ?? ''));
  const add = async (question: string, language = 'en') =>
    as('POST /api/exchange-bot/{id}/custom-faqs', {
      ...at(bot.id),
      body: { language, question, answer: 'So.' },
    });
  const change = (id: string, body: object) =>
    as('PATCH /api/exchange-bot/custom-faqs/{id}', { ...at(id), body });
  const order = async () =>
    (await as('GET /api/exchange-bot/{id}/custom-faqs', at(bot.id))).data.map(
      ({ language, place, question }: { language: string; place: number; question: string }) =>
        `${language}${place} ${question}`,
    );
  const [one, two, three] = [await add('One?'), await add('Two?'), await add('Three?')];
  await add('Uno?', 'es');
  expect((await add('ONE?')).error).toBe('question_taken');
  expect(await order()).toEqual(['en0 One?', 'en1 Two?', 'en2 Three?', 'es0 Uno?']);
  expect((await change(three.data.id, { place: 0 })).data.place).toBe(0);
  expect((await change(one.data.id, { place: 999 })).data.place).toBe(2);
  expect(await order()).toEqual(['en0 Three?', 'en1 Two?', 'en2 One?', 'es0 Uno?']);
  expect((await change(two.data.id, { question: 'one?' })).error).toBe('question_taken');
  expect((await change(two.data.id, { answer: 'Otherwise.' })).data).toMatchObject({ answer: 'Otherwise.' });
  expect((await as('DELETE /api/exchange-bot/custom-faqs/{id}', at(three.data.id))).status).toBe(200);
  expect(await order()).toEqual(['en0 Two?', 'en1 One?', 'es0 Uno?']);
});

test('moves of questions at once leave an order without gaps', async () => {
  const { data: bot } = await connect(3, 2_000_030);
  const ids: string[] = [];
  for (let n = 0; n < 6; n++)
    ids.push(
      (
        await as('POST /api/exchange-bot/{id}/custom-faqs', {
          ...at(bot.id),
          body: { language: 'en', question: `Question ${n}?`, answer: 'So.' },
        })
      ).data.id,
    );
  await Promise.all(
    ids.map((id, n) =>
      as('PATCH /api/exchange-bot/custom-faqs/{id}', { ...at(id), body: { place: (n * 5) % 6 } }),
    ),
  );
  const { data } = await as('GET /api/exchange-bot/{id}/custom-faqs', at(bot.id));
  expect(data.map(({ place }: { place: number }) => place)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a bot has at most a hundred plans', async () => {
  const { data: bot } = await as('GET /api/exchange-bot/community/{id}', at(communities[3]?.id ?? ''));
  await asOwner(
    product.ownerUrl,
    `INSERT INTO exchange_bot_plan (bot_id, name, days, amount_units)
     SELECT $1, 'Plan ' || n, 30, 1000 + n FROM generate_series(1, 99) n`,
    [bot.id],
  );
  const add = (name: string) =>
    as('POST /api/exchange-bot/{id}/pricing', { ...at(bot.id), body: { name, days: 1, amount: '1' } });
  const answers = await Promise.all([add('A'), add('B')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
});
