import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { until } from '../../../../../tests/support/until.ts';

/** Who a trader is, as staff writes it: name, e-mail address and Telegram. */
let product: TestApp;
let staff: string;
let superAdmin: string;
interface Link {
  community_id: string;
  selected_provider_id: string;
}
/** Of the provider that staff sees, and of another one in one of these communities. */
let links: Link[];
let foreign: Link;
let traderId: string;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
  staff = await product.signIn('staff');
  superAdmin = await product.signIn('super');
  links = await linksOf(`p.name = 'aurora'`);
  const others = await linksOf(
    `p.name <> 'aurora' AND l.community_id IN (SELECT o.community_id FROM community_provider o
       JOIN provider q ON q.id = o.provider_id WHERE q.name = 'aurora' AND o.is_active)`,
  );
  foreign = others[0] as Link;
});
afterAll(() => product.close());
const linksOf = (condition: string) =>
  asOwner<Link & Record<string, unknown>>(
    product.ownerUrl,
    `SELECT l.community_id, l.provider_id AS selected_provider_id FROM community_provider l
     JOIN provider p ON p.id = l.provider_id JOIN community c ON c.id = l.community_id
     WHERE l.is_active AND p.is_active AND c.archived_at IS NULL AND ${condition} ORDER BY l.community_id, p.name`,
  );
beforeEach(async () => {
  traderId = (await create({})).json().data.id;
});

const create = (fields: object, as = staff) =>
  send(
    product.app,
    'POST /api/traders',
    {
      body: { ...(links[0] as Link), ...fields },
    },
    as,
  );
const change = (body: object, as = staff, id = traderId) =>
  send(product.app, 'PATCH /api/traders/{id}', { params: { id }, body }, as);
let last = 7_000_000_000;
const newChat = () => String(last++);

test('all of a person is changed at once, with one entry that has both sides', async () => {
  await change({ name: 'Ada', email: 'ada@example.com' });
  const id = newChat();
  const answer = await change({
    name: 'Борис Петров',
    email: ' Boris@Почта.рф ',
    telegram_username: 'boris',
    telegram_user_id: id,
    language: 'ru',
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const person = {
    name: 'Борис Петров',
    email: 'boris@xn--80a1acny.xn--p1ai',
    telegram_username: 'boris',
    telegram_user_id: id,
    language: 'ru',
  };
  expect(answer.json().data).toMatchObject({ ...person, last_updated_by: 'staff@demo.example' });
  const [, entry, ...others] = await asOwner(
    product.ownerUrl,
    `SELECT action, actor_name, before, after FROM audit_entry
     WHERE target_id = $1 AND action LIKE 'trader.%changed' ORDER BY seq`,
    [traderId],
  );
  expect(others).toEqual([]);
  expect(entry).toEqual({
    action: 'trader.changed',
    actor_name: 'staff@demo.example',
    before: {
      name: 'Ada',
      email: 'ada@example.com',
      telegram_username: null,
      telegram_user_id: null,
      language: 'en',
    },
    after: person,
  });
  const cleared = await change({ name: '', email: null, telegram_username: null, telegram_user_id: null });
  expect(cleared.json().data).toMatchObject({
    name: null,
    email: null,
    telegram_username: null,
    telegram_user_id: null,
  });
});

test('the list finds the new name at once, no longer the old one, and consoles hear of it', async () => {
  const found = async (search: string) =>
    (await send(product.app, 'GET /api/traders', { query: { search, search_in: 'other' } }, staff))
      .json()
      .data.map(({ id }: { id: string }) => id);
  await change({ name: 'Zoraida Quint' });
  expect(await found('zoraida')).toEqual([traderId]);
  const [before] = await asOwner<{ id: string }>(product.ownerUrl, 'SELECT max(id) AS id FROM change_event');
  await change({ name: 'سارة العلي', telegram_username: 'sarah_ali_9' });
  expect(await found('zoraida')).toEqual([]);
  expect(await found('العلي')).toEqual([traderId]);
  expect(await found('@sarah_ali_9')).toEqual([traderId]);
  const events = await asOwner<{ topic: string }>(
    product.ownerUrl,
    'SELECT DISTINCT topic FROM change_event WHERE id > $1 AND entity_id = $2',
    [before?.id, traderId],
  );
  expect(events).toContainEqual({ topic: 'trader' });
  const page = (
    await send(
      product.app,
      'GET /api/traders',
      { query: { tab: 'none', orderBy: 'telegram_username' } },
      staff,
    )
  ).json();
  expect(page.data.map((row: { telegram_username: string | null }) => row.telegram_username)).toContain(
    'sarah_ali_9',
  );
});

test('what pasting adds is taken off, and a text of direction marks alone is no name', async () => {
  const id = newChat();
  const answer = await change({
    name: '\u200b\u202eAda\u202c Berg\u2069 ',
    email: '\u2066ada@example.com\u2069',
    telegram_username: ' \u200eada ',
    telegram_user_id: `\u200e${id}\u00a0`,
  });
  expect(answer.json().data).toMatchObject({
    name: 'Ada Berg',
    email: 'ada@example.com',
    telegram_username: 'ada',
    telegram_user_id: id,
  });
  for (const body of [{ name: '\u200e\u200f' }, { telegram_username: '\u2066\u2069' }]) {
    const refused = await change(body);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().details).toEqual([
      { path: Object.keys(body)[0], message: 'Invalid input: at least 1 characters' },
    ]);
  }
});

test.each([
  { email: 'ada' },
  { email: 'ada@mail' },
  { telegram_user_id: '0' },
  { telegram_user_id: '-100123' },
  { telegram_user_id: '@ada' },
  { telegram_user_id: '12345678901234567' },
])('refuses %o at its field, of a new trader as well', async (body) => {
  for (const answer of [await change(body), await create(body)]) {
    expect(answer.statusCode).toBe(400);
    expect(answer.json().details).toMatchObject([{ path: Object.keys(body)[0] }]);
  }
});

test('a form on the ground of an older name is refused with both sides', async () => {
  const read = async () =>
    (await send(product.app, 'GET /api/traders/{id}', { params: { id: traderId }, query: {} }, staff)).json()
      .data;
  const { version } = await read();
  await change({ name: 'Ada' }, superAdmin);
  const refused = await change({ email: 'x@example.com', version });
  expect(refused.json()).toMatchObject({
    error: 'changed_meanwhile',
    details: [{ path: 'email', yours: 'x@example.com', theirs: null }],
  });
  expect(await read()).toMatchObject({ name: 'Ada', email: null });
});

test('a Telegram id belongs to one trader of a community, and to others of other communities', async () => {
  const id = newChat();
  expect((await change({ telegram_user_id: id })).statusCode).toBe(200);
  // Its own is no other's.
  expect((await change({ telegram_user_id: id, name: 'Ada' })).statusCode).toBe(200);
  const other = (await create({})).json().data.id;
  const taken = {
    success: false,
    error: 'telegram_id_taken',
    message: 'This Telegram ID belongs to another trader of the community',
    details: [
      { path: 'telegram_user_id', message: 'This Telegram ID belongs to another trader of the community' },
    ],
  };
  expect((await change({ telegram_user_id: id }, staff, other)).json()).toEqual(taken);
  expect((await create({ telegram_user_id: id })).json()).toEqual(taken);
  const [, elsewhere] = links;
  expect((await create({ telegram_user_id: id, ...elsewhere })).statusCode).toBe(201);
  // Given up, it is free.
  await change({ telegram_user_id: null });
  expect((await change({ telegram_user_id: id }, staff, other)).statusCode).toBe(200);
});

test('a trader whom the caller does not see has its Telegram id too, and no more than that is said', async () => {
  const id = newChat();
  const hidden = await create({ ...foreign, telegram_user_id: id, name: 'Hidden' }, superAdmin);
  const hiddenId = hidden.json().data.id;
  expect((await change({ name: 'x' }, staff, hiddenId)).statusCode).toBe(404);
  const refused = await create({
    telegram_user_id: id,
    community_id: foreign.community_id,
    selected_provider_id: links[0]?.selected_provider_id as string,
  });
  expect(refused.json().error).toBe('telegram_id_taken');
  expect(refused.body).not.toMatch(/Hidden/);
  expect(refused.body).not.toContain(hiddenId);
});

test('an order that is giving a Telegram id to a trader goes first, and the form is refused', async () => {
  const [other, chat] = [(await create({})).json().data.id, newChat()];
  const order = new pg.Client(product.ownerUrl);
  await order.connect();
  try {
    await order.query("BEGIN; SELECT set_config('copydesk.scope', 'all', true)");
    await order.query('SELECT pg_advisory_xact_lock(hashtext($1))', [
      `copydesk.buyer ${links[0]?.community_id} ${chat}`,
    ]);
    await order.query('UPDATE trader SET telegram_user_id = $2 WHERE id = $1', [other, chat]);
    let isAnswered = false;
    const form = change({ telegram_user_id: chat });
    void form.finally(() => {
      isAnswered = true;
    });
    await until(async () => {
      const waiting = await asOwner(
        product.ownerUrl,
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
      );
      return isAnswered || waiting.length > 0;
    });
    await order.query('COMMIT');
    expect((await form).json().error).toBe('telegram_id_taken');
  } finally {
    await order.end();
  }
});

test('a chat that staff has just set does not confirm a payout address', async () => {
  await change({ telegram_user_id: newChat() });
  const counts = async () =>
    (
      await asOwner<{ counts: boolean }>(
        product.ownerUrl,
        'SELECT app.telegram_counts(telegram_user_id, telegram_set_at) AS counts FROM trader WHERE id = $1',
        [traderId],
      )
    )[0]?.counts;
  await asOwner(
    product.ownerUrl,
    `UPDATE trader SET telegram_set_at = now() - interval '31 days' WHERE id = $1`,
    [traderId],
  );
  expect(await counts()).toBe(true);
  await change({ name: 'Ada' });
  expect(await counts()).toBe(true);
  await change({ telegram_user_id: newChat() });
  expect(await counts()).toBe(false);
});

test.each([
  [{ reference_number: 'TAKEN-1' }, 'reference_number', 'reference_number_taken'],
  [{ referral_code: 'NOPE2345' }, 'referral_code', 'not_found'],
])('a new trader with %o is refused at its field', async (fields, path, error) => {
  await change({ reference_number: 'TAKEN-1' });
  const refused = (await create(fields)).json();
  expect(refused).toMatchObject({ error, details: [{ path, message: refused.message }] });
});
