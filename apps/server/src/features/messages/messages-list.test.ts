import type { CallAnswer, CallInput } from '@copydesk/contract';
import { MESSAGE_OUTCOMES, type MessageOutcome } from '@copydesk/domain/messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';

type Page = CallAnswer<'GET /api/messages'>;
type Query = NonNullable<CallInput<'GET /api/messages'>['query']>;
type Row = Page['data'][number];

/** As the owner of the database sees a message, without the list's own statement. */
interface Truth extends Record<string, unknown> {
  id: string;
  trader_id: string | null;
  community_id: string | null;
  provider_id: string | null;
  /** Of the trader. */
  providers: string[];
  state: string;
  at: number;
}

const PERSONAS = ['super', 'staff', 'staff-multi'] as const;
type Persona = (typeof PERSONAS)[number];
const DAY = 86_400_000;
const LINK = 'https://copydesk.example/owner/that-reports-a-withdrawal';

let product: TestApp;
const tokens = {} as Record<Persona, string>;
const providers = {} as Record<Persona, string[]>;

const owner = <R extends object = Record<string, never>>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);

beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  for (const persona of PERSONAS) {
    tokens[persona] = await product.signIn(persona);
    const me = await send(product.app, 'GET /api/me', {}, tokens[persona]);
    providers[persona] = me
      .json<{ data: { providers: { id: string }[] } }>()
      .data.providers.map(({ id }) => id);
  }
  // Every outcome in every provider: failures before one that arrived, after it and long ago, and one on its way. No
  // worker of this test sends it.
  await owner(`
    INSERT INTO message (trader_id, provider_id, kind, language, text, dedupe_key, state, problem, requested_by,
      created_at, sent_at, due_at)
    SELECT s.trader_id, s.provider_id, k.kind, 'en', 'Hello', 'test:' || s.trader_id || s.provider_id || k.n, k.state,
      k.problem, 'system', k.at, CASE k.state WHEN 'sent' THEN k.at END, now() + interval '2 hours'
    FROM (SELECT *, row_number() OVER (PARTITION BY provider_id ORDER BY trader_id) AS nth FROM trader_provider) s
    CROSS JOIN (VALUES (1, 'invoice_overdue', 'failed', 'no_chat', now() - interval '1 hour'),
      (2, 'invoice_paid', 'sent', NULL, now() - interval '2 hours'),
      (3, 'invoice_created', 'failed', 'blocked', now() - interval '3 hours'),
      (4, 'unpaid_invoices', 'failed', 'refused', now() - interval '40 days'),
      (5, 'invoice_due_soon', 'queued', NULL, now() - interval '4 hours'),
      (6, 'wallet_changed', 'failed', 'blocked', now() - interval '30 minutes')) k (n, kind, state, problem, at)
    WHERE s.nth <= 6`);
  await owner(
    `INSERT INTO message (community_id, kind, language, text, dedupe_key, state, problem, requested_by, created_at, sent_at)
     SELECT c.id, 'withdraw_funds', 'en', 'Please withdraw <code>12</code>. <a href="' || $1 || '">I have</a>', 'w:' || c.id || n,
       CASE n WHEN 2 THEN 'sent' ELSE 'failed' END, CASE n WHEN 2 THEN NULL ELSE 'no_chat' END, 'system',
       now() - n * interval '1 day', CASE n WHEN 2 THEN now() - interval '2 days' END
     FROM (SELECT id FROM community ORDER BY id LIMIT 2) c, generate_series(1, 3) n`,
    [LINK],
  );
}, 120_000);
afterAll(() => product?.close());

async function messages(query: Query = {}, as: Persona = 'super'): Promise<Page> {
  const given = { query: { limit: '200', ...query } };
  const answer = await send(product.app, 'GET /api/messages', given, tokens[as]);
  expect(answer.statusCode, product.logged.filter((line) => line.includes('"level":50')).join('')).toBe(200);
  return answer.json<Page>();
}

/** Every page of a list. */
async function whole(query: Query = {}, as: Persona = 'super'): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const { data, meta } = await messages({ ...query, offset: String(rows.length) }, as);
    rows.push(...data);
    if (data.length === 0 || rows.length >= meta.total) return rows;
  }
}

const truths = () =>
  owner<Truth>(`SELECT m.id, m.trader_id, m.community_id, m.provider_id, m.state,
      (extract(epoch FROM m.created_at) * 1000)::float8 AS at,
      ARRAY(SELECT s.provider_id::text FROM trader_provider s WHERE s.trader_id = m.trader_id) AS providers
    FROM message m`);

function outcomeOf(message: Truth, visible: readonly Truth[]): MessageOutcome {
  if (message.state === 'queued') return 'waiting';
  if (message.state === 'sent') return 'sent';
  const isSame = (other: Truth) =>
    message.trader_id ? other.trader_id === message.trader_id : other.community_id === message.community_id;
  const arrived = visible.some((other) => isSame(other) && other.state === 'sent' && other.at > message.at);
  return arrived || message.at < Date.now() - 30 * DAY ? 'overtaken' : 'not_delivered';
}

const isOf =
  (persona: Persona) =>
  ({ trader_id, provider_id, providers: its }: Truth): boolean =>
    persona === 'super' ||
    (trader_id !== null &&
      provider_id !== null &&
      providers[persona].includes(provider_id) &&
      its.some((id) => providers[persona].includes(id)));

test.each(PERSONAS)(
  '%s: each message in scope is in one outcome, and no other is listed',
  async (persona) => {
    const all = await truths();
    // What a provider's staff may not see does not count for them: row-level security hides it.
    const visible = all.filter(
      ({ provider_id }) => persona === 'super' || (provider_id && providers[persona].includes(provider_id)),
    );
    const expected = new Map(all.filter(isOf(persona)).map((truth) => [truth.id, outcomeOf(truth, visible)]));
    for (const outcome of MESSAGE_OUTCOMES) expect([...expected.values()]).toContain(outcome);
    const rows = await whole({}, persona);
    expect(new Map(rows.map(({ id, outcome }) => [id, outcome]))).toEqual(expected);
    expect(rows).toHaveLength(expected.size);
    const { meta } = await messages({}, persona);
    for (const outcome of MESSAGE_OUTCOMES) {
      const of = await whole({ outcome }, persona);
      expect(of.map(({ id }) => id).toSorted()).toEqual(
        [...expected].flatMap(([id, its]) => (its === outcome ? id : [])).toSorted(),
      );
      expect(meta.outcomes[outcome]).toBe(of.length);
      const page = await messages({ outcome }, persona);
      expect(page.meta.total).toBe(of.length);
      expect(page.meta.outcomes).toEqual(meta.outcomes);
    }
  },
);

test.each(PERSONAS)('%s: what the overview counts as not delivered is what the list has', async (persona) => {
  const answer = await send(product.app, 'GET /api/overview', {}, tokens[persona]);
  const { data } = answer.json<CallAnswer<'GET /api/overview'>>();
  const figure = data.find(({ name }) => name === 'not_delivered');
  const { meta } = await messages({ outcome: 'not_delivered' }, persona);
  expect(meta.total).toBeGreaterThan(0);
  expect(figure?.count).toBe(meta.total);
});

test('filters narrow the rows and every count, and pages join without a gap', async () => {
  const rows = await whole();
  const [some] = rows.filter((row) => row.trader_id && row.community_id && row.provider_name);
  if (!some) throw new Error('no message of one provider');
  for (const [query, isMeant] of [
    [{ kind: some.kind }, (row: Row) => row.kind === some.kind],
    [{ problem: 'no_chat' }, (row: Row) => row.problem === 'no_chat'],
    [{ community_id: some.community_id }, (row: Row) => row.community_id === some.community_id],
    [{ trader_id: some.trader_id }, (row: Row) => row.trader_id === some.trader_id],
  ] as [Query, (row: Row) => boolean][]) {
    const found = await whole(query);
    expect(found.map(({ id }) => id)).toEqual(rows.filter(isMeant).map(({ id }) => id));
    const { meta } = await messages({ ...query, limit: '1' });
    expect(meta.total).toBe(found.length);
  }
  const searched = await whole({ search: some.trader?.toUpperCase() ?? '' });
  expect(searched.map(({ id }) => id)).toContain(some.id);
  expect(searched.every((row) => row.trader !== null || row.community !== null)).toBe(true);
  expect((await messages({ search: "100%_\\' nothing" })).meta.total).toBe(0);

  const pages: string[] = [];
  for (let offset = 0; offset < rows.length; offset += 23)
    pages.push(...(await messages({ limit: '23', offset: String(offset) })).data.map(({ id }) => id));
  expect(pages).toEqual(rows.map(({ id }) => id));
});

test('messages to owners are for super admins, without where their link leads', async () => {
  const isToOwner = ({ trader_id }: Row) => trader_id === null;
  const own = (await whole()).filter(isToOwner);
  expect(own).toHaveLength(6);
  for (const { text, trader, community, can_retry } of own) {
    expect(text).toBe('Please withdraw <code>12</code>. I have');
    expect({ trader, community }).toEqual({ trader: null, community: expect.any(String) });
    expect(can_retry).toBe(false);
  }
  // By the name of their community, also for a part of it.
  const [one] = own;
  const named = await whole({ search: one?.community?.slice(0, 4) ?? '' });
  expect(named.map(({ id }) => id)).toContain(one?.id);
  for (const persona of ['staff', 'staff-multi'] as const)
    expect((await whole({}, persona)).filter(isToOwner)).toEqual([]);

  // Once the owner can be written to, it is tried again.
  const failed = own.find(({ state }) => state === 'failed') as Row;
  const retry = () =>
    send(product.app, 'POST /api/messages/{id}/retry', { params: { id: failed.id } }, tokens.super);
  expect((await retry()).json()).toMatchObject({ error: 'trader_not_reachable' });
  await owner('UPDATE community SET owner_telegram_id = 4242 WHERE id = $1', [failed.community_id]);
  expect((await retry()).json()).toMatchObject({ data: { state: 'queued', outcome: 'waiting' } });
});
