import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { askAsOneOfMany } from './ask-key.service.ts';

let product: TestApp;
let superAdmin: string;
let staff: string;
let traders: { id: string; account: string; exchange: string }[];
beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff');
  traders = await owner(
    `SELECT DISTINCT ON (t.id) t.id, a.id AS account, a.exchange FROM trader t
     JOIN exchange_account a ON a.trader_id = t.id AND a.removed_at IS NULL
     WHERE (SELECT count(*) FROM exchange_account b WHERE b.trader_id = t.id AND b.removed_at IS NULL) = 1
     ORDER BY t.id LIMIT 6`,
  );
  await owner(`UPDATE trader SET telegram_user_id = '9000' || deposit_index WHERE id = ANY ($1)`, [
    traders.map(({ id }) => id),
  ]);
  await owner(`UPDATE exchange_account SET read_error = NULL`);
});
afterAll(() => product.close());

const owner = <R extends object = Record<string, never>>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);
const fail = (nth: number, problem: string | null = 'invalid_credentials') =>
  owner('UPDATE exchange_account SET read_error = $2 WHERE id = $1', [traders[nth]?.account, problem]);
const idOf = (nth: number) => traders[nth]?.id as string;
const ask = async (nth: number, as = superAdmin) => {
  const answer = await send(product.app, 'POST /api/traders/{id}/ask-key', { params: { id: idOf(nth) } }, as);
  return { status: answer.statusCode, body: answer.json() };
};
const messagesOf = (nth: number) =>
  owner<{ text: string; state: string; language: string }>(
    `SELECT text, state, language FROM message WHERE trader_id = $1 AND kind = 'key_failing' ORDER BY created_at`,
    [idOf(nth)],
  );

test('a trader whose key is refused is asked once a day for a new one, and where', async () => {
  await fail(0);
  const first = await ask(0);
  expect(first.status).toBe(200);
  expect((await ask(0)).body.data).toEqual(first.body.data);
  const [message, ...others] = await messagesOf(0);
  expect(others).toEqual([]);
  expect(message?.text).toMatch(/API|key/i);
  await owner(
    `UPDATE message SET state = 'sent', sent_at = now(), created_at = now() - interval '25 hours' WHERE trader_id = $1`,
    [idOf(0)],
  );
  expect((await ask(0)).body.data).not.toEqual(first.body.data);
});

test('whoever needs no new key, cannot be reached, or is not seen is not asked', async () => {
  expect((await ask(1)).body.error).toBe('keys_work');
  // A new key would not end this.
  await fail(1, 'classic_account');
  expect((await ask(1)).body.error).toBe('keys_work');
  await fail(2);
  await owner('UPDATE trader SET telegram_user_id = NULL WHERE id = $1', [idOf(2)]);
  expect((await ask(2)).body.error).toBe('trader_not_reachable');
  const seen = (await send(product.app, 'GET /api/traders', { query: { limit: '200' } }, staff)).json();
  const mine = new Set(seen.data.map(({ id }: { id: string }) => id));
  const foreign = traders.findIndex(({ id }) => !mine.has(id));
  expect(foreign).toBeGreaterThanOrEqual(0);
  await fail(foreign);
  expect((await ask(foreign, staff)).status).toBe(404);
  expect(await messagesOf(1)).toEqual([]);
});

test('many are asked at once, and each that stays says why', async () => {
  for (const nth of [3, 4]) await fail(nth);
  await fail(5, null);
  const body = { act: 'ask_key' as const, trader_ids: [idOf(3), idOf(4), idOf(5), idOf(2)] };
  const preview = async () =>
    (await send(product.app, 'POST /api/bulk-acts/preview', { body }, superAdmin)).json().data;
  const before = await preview();
  expect(before.will).toBe(2);
  expect(new Set(before.left_out.map(({ reason }: { reason: string }) => reason))).toEqual(
    new Set(['keys_work', 'not_reachable']),
  );
  const actor = { kind: 'user', id: 'u1', name: 'Olga' } as const;
  const perform = (id: string) => product.db.write(WHOLE_SCOPE, actor, (tx) => askAsOneOfMany(tx, id));
  const outcomes = await Promise.all([idOf(3), idOf(3), idOf(4), idOf(5), idOf(2)].map(perform));
  expect(outcomes.toSorted()).toEqual([null, null, 'keys_work', 'not_reachable', 'told_lately'].toSorted());
  expect((await messagesOf(3)).length + (await messagesOf(4)).length).toBe(2);
  expect((await preview()).will).toBe(0);
});

test('all whose accounts match are asked, each once, as the list has them', async () => {
  await owner(`UPDATE exchange_account SET read_error = 'insufficient_permission' WHERE id = ANY ($1)`, [
    traders.slice(0, 4).map(({ account }) => account),
  ]);
  const failing = (
    await send(product.app, 'GET /api/accounts', { query: { state: 'failing', limit: '200' } }, superAdmin)
  ).json();
  const holders = new Set(failing.data.map((account: { trader_id: string }) => account.trader_id));
  const [left = ''] = holders as Set<string>;
  const preview = async (query: object, except: string[] = []) => {
    const matching = { list: 'accounts' as const, query: query as Record<string, string>, except };
    const body = { act: 'ask_key' as const, matching };
    return (await send(product.app, 'POST /api/bulk-acts/preview', { body }, superAdmin)).json();
  };
  const all = (await preview({ state: 'failing', orderBy: 'unread_for' })).data;
  expect(new Set(all.rows.map(({ trader_id }: { trader_id: string }) => trader_id))).toEqual(holders);
  expect((await preview({ state: 'failing' }, [left])).data.total).toBe(holders.size - 1);
  const [number] = await owner<{ number: string }>(
    'SELECT reference_number AS number FROM trader WHERE id = $1',
    [idOf(0)],
  );
  expect((await preview({ search: number?.number ?? '', state: 'failing' })).data.total).toBe(1);
  expect((await preview({ state: 'nonsense' })).error).toBe('validation_failed');
});

test('a key that ends soon is asked for in time, and again once it is refused', async () => {
  const end = (nth: number, days: number | null) =>
    owner(
      `UPDATE exchange_account SET read_error = NULL, key_expires_at = now() + make_interval(hours => $2) WHERE id = $1`,
      [traders[nth]?.account, days === null ? null : days * 24],
    );
  const written = async (nth: number) =>
    owner<{ kind: string; text: string }>(
      'SELECT kind, text FROM message WHERE trader_id = $1 ORDER BY created_at DESC, id DESC',
      [idOf(nth)],
    );
  const nth = 5;
  await owner('DELETE FROM message WHERE trader_id = $1', [idOf(nth)]);
  // Not within 14 days, and over.
  for (const days of [null, 15, -1]) {
    await end(nth, days);
    expect((await ask(nth)).body.error, `${days}`).toBe('keys_work');
  }
  await end(nth, 13);
  const [preview] = await Promise.all([
    send(
      product.app,
      'POST /api/bulk-acts/preview',
      { body: { act: 'ask_key', trader_ids: [idOf(nth)] } },
      superAdmin,
    ),
  ]);
  expect(preview.json().data.will, preview.body).toBe(1);
  const first = await ask(nth);
  expect(first.status).toBe(200);
  expect((await ask(nth)).body.data).toEqual(first.body.data);
  const day = new Date(Date.now() + 13 * 86_400_000).getUTCDate();
  const [message, ...others] = await written(nth);
  expect(others).toEqual([]);
  expect(message?.kind).toBe('key_ending');
  expect(message?.text).toMatch(new RegExp(`\\b${day}\\b`));
  const again = await send(
    product.app,
    'POST /api/bulk-acts/preview',
    { body: { act: 'ask_key', trader_ids: [idOf(nth)] } },
    superAdmin,
  );
  expect(again.json().data.left_out).toEqual([{ reason: 'told_lately', count: 1 }]);
  // What was asked in time does not keep back what is asked once the exchange refuses the key.
  await fail(nth);
  expect((await ask(nth)).body.data).not.toEqual(first.body.data);
  expect((await written(nth)).map(({ kind }) => kind)).toEqual(['key_failing', 'key_ending']);
});
