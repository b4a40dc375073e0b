import { randomUUID } from 'node:crypto';
import type { CallAnswer, CallInput } from '@copydesk/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asOwner } from '../../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../../tests/support/test-app.ts';

type Page = CallAnswer<'GET /api/exchange-bot-messages'>;
type Query = NonNullable<CallInput<'GET /api/exchange-bot-messages'>['query']>;
type Row = Page['data'][number];
type Selection = CallInput<'POST /api/exchange-bot-messages/retry-preview'>['body'];

const RETRY = 'POST /api/exchange-bot-messages/retry';
let product: TestApp;
let token: string;
let other: string;
let bots: { id: string; community_id: string }[];

const owner = <R extends object = Record<string, never>>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);
const ask = async (call: string, parts: Parameters<typeof send>[2] = {}, by = token) => {
  const answer = await send(product.app, call, parts, by);
  const { data, meta, error } = answer.json();
  return { status: answer.statusCode, data, meta, error };
};
const list = async (query: Query = {}) =>
  (await ask('GET /api/exchange-bot-messages', { query: { limit: '100', ...query } })) as unknown as Page;
const preview = async (body: Selection) =>
  (await ask('POST /api/exchange-bot-messages/retry-preview', { body })).data;
const retry = (body: Selection & { expected: number }, by = token) => ask(RETRY, { body }, by);

beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  token = await product.signIn('super');
  other = await product.signIn('super-2');
  await owner(`INSERT INTO exchange_bot (community_id, telegram_id, username, name, language)
    SELECT c.id, 9000000 + row_number() OVER (ORDER BY c.id), 'seller', 'Seller', 'en' FROM community c
    WHERE NOT EXISTS (SELECT FROM exchange_bot b WHERE b.community_id = c.id) ORDER BY c.id LIMIT 3`);
  bots = await owner('SELECT id, community_id FROM exchange_bot ORDER BY id');
  expect(bots.length).toBeGreaterThan(2);
  await owner('DELETE FROM exchange_bot_chat');
  await owner(`INSERT INTO exchange_bot_chat (bot_id, telegram_user_id, telegram_username, name, language, counted_from,
      last_seen_at, created_at)
    SELECT b.id, p.id, p.username, p.name, 'en', now(), now(), now() FROM exchange_bot b
    CROSS JOIN (VALUES (7001, 'ada_b', 'Ada Berg'), (7002, 'bo100%', NULL), (70010, NULL, 'Ada_x 7001')) p (id, username, name)`);
}, 120_000);
afterAll(() => product?.close());
// Of the nth bot, n of each person and state.
beforeEach(async () => {
  await owner('DELETE FROM exchange_bot_message');
  await owner(`INSERT INTO exchange_bot_message (bot_id, telegram_user_id, text, state, problem, due_at, created_at, sent_at)
    SELECT c.bot_id, c.telegram_user_id, 'Hello <b>you</b> ' || n, s.state, s.problem, now() + interval '2 hours',
      now() - n * interval '1 minute' - c.telegram_user_id * interval '1 second', CASE s.state WHEN 'sent' THEN now() END
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS nth FROM exchange_bot) b
    JOIN exchange_bot_chat c ON c.bot_id = b.id, LATERAL generate_series(1, b.nth) n,
    (VALUES ('queued', NULL), ('queued', 'unavailable'), ('sent', NULL), ('failed', 'blocked'), ('failed', 'refused')) s (state, problem)`);
});

test('the figures of each bot are those of its own page and of the list of bots', async () => {
  const listed: CallAnswer<'GET /api/exchange-bots'>['data'] = (await ask('GET /api/exchange-bots')).data;
  expect(listed).toHaveLength(bots.length);
  for (const bot of listed) {
    const { meta, data } = await list({ community_id: bot.community_id, state: 'failed' });
    const own = await ask('GET /api/exchange-bot/{id}/messages', {
      params: { id: bot.id },
      query: { state: 'failed', limit: '100' },
    });
    expect(meta.total).toBeGreaterThan(0);
    expect(meta.states.failed).toBe(meta.total);
    expect(bot.failed_messages).toBe(meta.total);
    expect(own.meta.total).toBe(meta.total);
    // The same rows in the same order, with whose they are.
    expect(data).toEqual(
      own.data.map((row: object) => ({
        ...row,
        bot_id: bot.id,
        community_id: bot.community_id,
        community: bot.community,
      })),
    );
  }
});

test('filters narrow the rows and every count but that of the state, and pages join without a gap', async () => {
  const [bot] = bots;
  const everything: Row[] = [];
  for (let offset = 0; ; offset += 7) {
    const page = await list({ limit: '7', offset: String(offset) });
    everything.push(...page.data);
    if (page.data.length === 0) break;
  }
  const [truth] = await owner<{ n: number }>('SELECT count(*)::int AS n FROM exchange_bot_message');
  expect(new Set(everything.map(({ id }) => id)).size).toBe(truth?.n);
  expect(everything).toHaveLength(truth?.n ?? 0);
  expect(everything.map(({ created_at: at }) => at)).toEqual(
    everything
      .map(({ created_at: at }) => at)
      .toSorted()
      .reverse(),
  );
  const is = (ids: string[]) => (row: Row) => ids.includes(row.telegram_user_id);
  for (const [query, isMeant] of [
    [{}, () => true],
    [{ community_id: bot?.community_id }, (row) => row.bot_id === bot?.id],
    [{ problem: 'blocked' }, (row) => row.problem === 'blocked'],
    [{ problem: 'unavailable' }, (row) => row.problem === 'unavailable'],
    [{ search: 'ADA' }, is(['7001', '70010'])],
    [{ search: 'ada_' }, is(['7001', '70010'])],
    [{ search: '@ada' }, is(['7001', '70010'])],
    [{ search: '@ADA_B' }, is(['7001'])],
    [{ search: 'bo100%' }, is(['7002'])],
    // The id of one, and part of the name of another; but no part of an id.
    [{ search: '7001' }, is(['7001', '70010'])],
    [{ search: '7002' }, is(['7002'])],
    [{ search: '700' }, is(['70010'])],
    [{ search: '99999999999999999999' }, is([])],
    [{ search: "%_\\'" }, is([])],
  ] as [Query, (row: Row) => boolean][])
    for (const state of [undefined, 'queued', 'sent', 'failed'] as const) {
      const matching = everything.filter(isMeant);
      const { data, meta } = await list({ ...query, ...(state && { state }) });
      const shown = matching.filter((row) => state === undefined || row.state === state);
      expect(
        data.map(({ id }) => id),
        JSON.stringify([query, state]),
      ).toEqual(shown.slice(0, 100).map(({ id }) => id));
      expect(meta.total).toBe(shown.length);
      const inState = (name: string) => matching.filter((row) => row.state === name).length;
      expect(meta).toMatchObject({
        states: { queued: inState('queued'), sent: inState('sent'), failed: inState('failed') },
        capped: [],
      });
    }
});

test('states are counted up to 10,000, and the list says so', async () => {
  const [bot] = bots;
  await owner(
    `INSERT INTO exchange_bot_message (bot_id, telegram_user_id, text, state, due_at, created_at, sent_at)
     SELECT $1, 7001, 'many', 'sent', now(), now(), now() FROM generate_series(1, 10050)`,
    [bot?.id],
  );
  const { meta } = await list({ state: 'sent' });
  expect(meta).toMatchObject({ total: 10_000, states: { sent: 10_000 }, capped: ['sent'] });
});

test('a selection is previewed, confirmed by its number, and queued with one entry of the audit', async () => {
  const failed = (await list({ state: 'failed' })).data;
  const waiting = (await list({ state: 'queued' })).data[0]?.id as string;
  const ids = [...failed.slice(0, 3).map(({ id }) => id), waiting, randomUUID()];
  expect(await preview({ ids })).toEqual({
    will: 3,
    left_out: [
      { reason: 'not_failed', count: 1 },
      { reason: 'gone', count: 1 },
    ],
  });
  expect(await retry({ ids, expected: 4 })).toMatchObject({ status: 409, error: 'messages_changed' });
  expect((await list()).meta.states.failed).toBe(failed.length);
  expect(await retry({ ids, expected: 3 })).toMatchObject({ data: { queued: 3, remaining: 0 } });
  const again = await owner<{ n: number }>(
    `SELECT count(*)::int AS n FROM exchange_bot_message WHERE id = ANY ($1) AND state = 'queued' AND attempts = 0
       AND problem IS NULL AND due_at < now() + interval '1 hour'`,
    [ids],
  );
  expect(again).toEqual([{ n: 3 }]);
  expect(await retry({ ids, expected: 3 })).toMatchObject({ status: 409 });
  expect(
    await owner("SELECT after FROM audit_entry WHERE action = 'exchange_bot.selection_retried' ORDER BY seq"),
  ).toEqual([{ after: { messages: 3 } }]);
  for (const body of [{}, { ids, matching: { query: {} } }, { ids: [] }])
    expect((await ask('POST /api/exchange-bot-messages/retry-preview', { body })).status).toBe(400);
});

test('all that match are those that failed, less what was left out', async () => {
  const community_id = bots[1]?.community_id as string;
  const query = { community_id, problem: 'blocked', search: '@ada' } as const;
  const [kept, ...others] = (await list({ ...query, state: 'failed' })).data;
  expect(others.length).toBeGreaterThan(0);
  const matching = { query, except: [kept?.id as string] };
  expect(await preview({ matching })).toEqual({ will: others.length, left_out: [] });
  expect(await preview({ matching: { query: { ...query, state: 'sent' } } })).toEqual({
    will: 0,
    left_out: [],
  });
  const before = (await list()).meta.states.failed;
  expect((await retry({ matching, expected: others.length })).data.queued).toBe(others.length);
  expect((await list()).meta.states.failed).toBe(before - others.length);
  const left = (await list({ ...query, state: 'failed' })).data;
  expect(left.map(({ id }) => id)).toEqual([kept?.id]);
});

test('at most 1,000 are queued by one call, the oldest first', async () => {
  await owner('DELETE FROM exchange_bot_message');
  await owner(
    `INSERT INTO exchange_bot_message (bot_id, telegram_user_id, text, state, problem, due_at, created_at)
     SELECT $1, 7001, n::text, 'failed', 'refused', now(), now() - n * interval '1 second' FROM generate_series(1, 1002) n`,
    [bots[0]?.id],
  );
  const matching = { query: {} };
  expect((await retry({ matching, expected: 1_002 })).data).toEqual({ queued: 1_000, remaining: 2 });
  expect((await list({ state: 'failed' })).data.map(({ text }) => text)).toEqual(['1', '2']);
});

test.each([9, 1_500])('two people at once queue each of %i messages once', async (many) => {
  await owner('DELETE FROM exchange_bot_message');
  await owner(
    `INSERT INTO exchange_bot_message (bot_id, telegram_user_id, text, state, problem, due_at, created_at)
     SELECT $1, 7001, n::text, 'failed', 'refused', now(), now() FROM generate_series(1, $2::int) n`,
    [bots[0]?.id, many],
  );
  await owner(`CREATE TABLE queued_again (id uuid);
    CREATE FUNCTION note_again() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      INSERT INTO public.queued_again VALUES (NEW.id); RETURN NULL; END $$;
    CREATE TRIGGER noted AFTER UPDATE OF state ON exchange_bot_message FOR EACH ROW WHEN (NEW.state = 'queued')
      EXECUTE FUNCTION note_again()`);
  try {
    const body = { matching: { query: {} }, expected: many };
    const answers = await Promise.all([token, other, token, other].map((by) => retry(body, by)));
    const queued = answers.flatMap(({ status, data }) => (status === 200 ? [data.queued] : []));
    const wanted = Math.min(many, 1_000);
    expect(queued).toEqual([wanted]);
    expect(answers.filter(({ error }) => error === 'messages_changed')).toHaveLength(3);
    expect(await owner('SELECT count(*)::int AS n, count(DISTINCT id)::int AS of FROM queued_again')).toEqual(
      [{ n: wanted, of: wanted }],
    );
  } finally {
    await owner(
      `DROP TRIGGER noted ON exchange_bot_message; DROP FUNCTION note_again(); DROP TABLE queued_again`,
    );
  }
});

test('one key sends once, however often it is pressed', async () => {
  const body = { matching: { query: {} }, expected: (await list()).meta.states.failed };
  const headers = { 'idempotency-key': randomUUID() };
  const press = () => send(product.app, RETRY, { body }, other, headers);
  const [first, second] = await Promise.all([press(), press()]);
  // Beside the first the second is refused; right after it, it is answered alike.
  expect(
    [first, second]
      .map((answer) => answer?.json().error ?? 'done')
      .toSorted()
      .join(),
  ).toMatch(/^done,(done|idempotency_in_flight)$/);
  const done = [first, second].find((answer) => answer?.statusCode === 200)?.json();
  expect(done.data).toEqual({ queued: body.expected, remaining: 0 });
  expect((await press()).json()).toEqual(done);
});
