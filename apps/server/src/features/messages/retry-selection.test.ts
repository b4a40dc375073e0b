import { randomUUID } from 'node:crypto';
import type { CallInput } from '@copydesk/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';

type Selection = CallInput<'POST /api/messages/retry-preview'>['body'];

let product: TestApp;
const tokens: Record<string, string> = {};
let communityId: string;

const owner = <R extends object = Record<string, never>>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);
const ask = async (call: string, parts: Parameters<typeof send>[2], by = 'super') => {
  const answer = await send(product.app, call, parts, tokens[by]);
  const { data, meta, error } = answer.json();
  return { status: answer.statusCode, data, meta, error };
};
const preview = async (body: Selection) => (await ask('POST /api/messages/retry-preview', { body })).data;
const retry = (body: Selection & { expected: number }, by?: string) =>
  ask('POST /api/messages/retry', { body }, by);
/** Ids of messages by their key. */
async function idsOf(like: string): Promise<string[]> {
  const rows = await owner<{ id: string }>(
    'SELECT id FROM message WHERE dedupe_key LIKE $1 ORDER BY created_at, id',
    [like],
  );
  return rows.map(({ id }) => id);
}
const statesOf = (like: string) =>
  owner<{ state: string; n: number }>(
    'SELECT state, count(*)::int AS n FROM message WHERE dedupe_key LIKE $1 GROUP BY 1 ORDER BY 1',
    [like],
  );

beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  for (const persona of ['super', 'super-2', 'staff'])
    tokens[persona] = await product.signIn(persona as 'super');
}, 120_000);
afterAll(() => product?.close());
// Two traders with Telegram, one without, an owner without; each with one failure for either cause, and others.
beforeEach(async () => {
  await owner('DELETE FROM message');
  await owner('UPDATE invoice SET recalled_at = NULL WHERE recalled_at IS NOT NULL');
  await owner("UPDATE trader SET telegram_user_id = NULL WHERE telegram_user_id IN ('881', '882')");
  const [community] = await owner<{ id: string }>(
    'SELECT community_id AS id FROM trader GROUP BY 1 HAVING count(*) > 2 ORDER BY 1 LIMIT 1',
  );
  communityId = community?.id as string;
  await owner(
    `UPDATE trader t SET telegram_user_id = CASE n.n WHEN 3 THEN NULL ELSE '88' || n.n END
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM trader WHERE community_id = $1) n
     WHERE t.id = n.id AND n.n < 4`,
    [communityId],
  );
  await owner('UPDATE community SET owner_telegram_id = NULL WHERE id = $1', [communityId]);
  await owner(
    `INSERT INTO message (trader_id, kind, language, text, dedupe_key, state, problem, requested_by, attempts, due_at, sent_at)
     SELECT t.id, 'unpaid_invoices', 'en', 'Hello', concat_ws(':', t.n, s.state, s.problem), s.state, s.problem, 'system', 3,
       now() + interval '2 hours', CASE s.state WHEN 'sent' THEN now() END
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM trader WHERE community_id = $1) t,
       (VALUES ('failed', 'blocked'), ('failed', 'no_chat'), ('sent', NULL), ('queued', NULL)) s (state, problem)
     WHERE t.n < 4`,
    [communityId],
  );
  await owner(
    `INSERT INTO message (community_id, kind, language, text, dedupe_key, state, problem, requested_by)
     VALUES ($1, 'withdraw_funds', 'en', 'Hello', 'owner:failed:no_chat', 'failed', 'no_chat', 'system')`,
    [communityId],
  );
  const [recalled] = await owner<{ id: string }>(
    `UPDATE invoice SET status = 'cancelled', recalled_at = now() WHERE id = (SELECT id FROM invoice
       WHERE paid_units = 0 AND invoice_type = 'regular' AND status <> 'paid' ORDER BY id LIMIT 1) RETURNING id`,
  );
  await owner(
    `INSERT INTO message (trader_id, invoice_id, kind, language, text, dedupe_key, state, problem, requested_by)
     SELECT trader_id, $1, k.kind, 'en', 'Hello', k.key, 'failed', 'blocked', 'system'
     FROM message, (VALUES ('invoice_created', 'recalled'), ('invoice_recalled', 'recall')) k (kind, key)
     WHERE dedupe_key = '1:failed:blocked'`,
    [recalled?.id],
  );
});

test('what can be sent again is counted, and what stays is said with why', async () => {
  const ids = [...(await idsOf('%')), randomUUID()];
  // Each trader's blocked one, and the one of before its Telegram ID was known of those who have one,
  // and the word that an invoice was recalled, but not that invoice.
  const expected = {
    will: 6,
    left_out: [
      { reason: 'not_failed', count: 6 },
      { reason: 'no_chat', count: 2 },
      { reason: 'recalled', count: 1 },
      { reason: 'gone', count: 1 },
    ],
  };
  expect(await preview({ ids })).toEqual(expected);
  expect(await preview({ ids: [...ids, ...ids] })).toEqual(expected);
  expect(await preview({ matching: { query: {} } })).toEqual({
    will: 6,
    left_out: [
      { reason: 'no_chat', count: 2 },
      { reason: 'recalled', count: 1 },
    ],
  });
  expect(await retry({ ids, expected: 6 })).toMatchObject({ data: { queued: 6, remaining: 0 } });
  const again = await owner(
    "SELECT dedupe_key AS key FROM message WHERE state = 'queued' AND attempts = 0 AND problem IS NULL AND due_at <= now() ORDER BY 1",
  );
  expect(again.map(({ key }) => key)).toEqual([
    '1:failed:blocked',
    '1:failed:no_chat',
    '2:failed:blocked',
    '2:failed:no_chat',
    '3:failed:blocked',
    'recall',
  ]);
  expect(await statesOf('%')).toEqual([
    { state: 'failed', n: 3 },
    { state: 'queued', n: 9 },
    { state: 'sent', n: 3 },
  ]);
  expect(
    await owner("SELECT after FROM audit_entry WHERE action = 'message.selection_retried' ORDER BY seq"),
  ).toEqual([{ after: { messages: 6 } }]);
});

test('all that match are those of every filter of the list, less what was left out', async () => {
  for (const [query, will] of [
    [{ problem: 'blocked' }, 4],
    [{ problem: 'no_chat' }, 2],
    [{ kind: 'withdraw_funds' }, 0],
    [{ state: 'sent' }, 0],
    [{ outcome: 'waiting' }, 0],
    [{ community_id: communityId }, 6],
    [{ community_id: randomUUID() }, 0],
    [{ search: 'no trader is called so' }, 0],
  ] as const)
    expect((await preview({ matching: { query } })).will, JSON.stringify(query)).toBe(will);
  // What the list shows as not delivered, and what it shows as overtaken, are all.
  const of = async (outcome: 'not_delivered' | 'overtaken') =>
    (await preview({ matching: { query: { outcome } } })).will;
  expect((await of('not_delivered')) + (await of('overtaken'))).toBe(6);
  const [trader] = await owner<{ text: string }>(
    'SELECT coalesce(reference_number, name) AS text FROM trader WHERE telegram_user_id = $1',
    ['881'],
  );
  const [kept] = await idsOf('1:failed:no_chat');
  const matching = {
    query: { search: trader?.text as string, community_id: communityId },
    except: [kept as string],
  };
  const { will } = await preview({ matching });
  expect(will).toBeGreaterThan(0);
  expect((await retry({ matching, expected: will })).data).toEqual({ queued: will, remaining: 0 });
  expect(await statesOf('1:failed:blocked')).toEqual([{ state: 'queued', n: 1 }]);
  expect(await statesOf('1:failed:no_chat')).toEqual([{ state: 'failed', n: 1 }]);
});

test('another number than was confirmed is refused, and nothing is queued', async () => {
  const ids = await idsOf('%:failed:blocked');
  await owner("UPDATE message SET state = 'queued', problem = NULL WHERE id = $1", [ids[0]]);
  expect(await retry({ ids, expected: 3 })).toMatchObject({ status: 409, error: 'messages_changed' });
  expect(await statesOf('%:failed:blocked')).toEqual([
    { state: 'failed', n: 2 },
    { state: 'queued', n: 1 },
  ]);
  expect((await retry({ ids, expected: 2 })).data).toEqual({ queued: 2, remaining: 0 });
  for (const call of ['POST /api/messages/retry', 'POST /api/messages/retry-preview'])
    expect((await ask(call, { body: { ids, expected: 2 } }, 'staff')).status).toBe(403);
});

test.each([[7], [1_400]])(
  'two people at once queue each of %i messages once, the oldest first',
  async (many) => {
    await owner('DELETE FROM message');
    await owner(
      `INSERT INTO message (trader_id, kind, language, text, dedupe_key, state, problem, requested_by, created_at)
     SELECT (SELECT id FROM trader WHERE telegram_user_id = '881'), 'unpaid_invoices', 'en', 'Hello', 'many:' || n, 'failed',
       'blocked', 'system', now() - n * interval '1 second' FROM generate_series(1, $1::int) n`,
      [many],
    );
    const body = { matching: { query: {} }, expected: many };
    const answers = await Promise.all(['super', 'super-2'].map((by) => retry(body, by)));
    const wanted = Math.min(many, 1_000);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 200)?.data).toEqual({
      queued: wanted,
      remaining: many - wanted,
    });
    const oldest = await owner(
      "SELECT count(*)::int AS n FROM message WHERE state = 'queued' AND split_part(dedupe_key, ':', 2)::int > $1",
      [many - wanted],
    );
    expect(oldest).toEqual([{ n: wanted }]);
    expect((await statesOf('many:%')).find(({ state }) => state === 'queued')?.n).toBe(wanted);
  },
);
