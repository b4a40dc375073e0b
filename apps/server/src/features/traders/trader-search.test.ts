import { afterAll, beforeAll, expect, test } from 'vitest';
import { notPassed, passedFiles } from '../../../../../tests/support/journey.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { resolveSearch } from './resolve-search.ts';
import type { TraderFilters } from './trader-filters.ts';
import { countTraders, listTraders } from './traders.views.ts';

/** Search by a part of a text, which one function answers that applies the scope itself. */
let product: TestApp;
const tokens: Record<string, string> = {};
let providerIds: string[];
beforeAll(async () => {
  product = await createTestApp({ scale: 0.2 });
  for (const persona of ['super', 'staff', 'staff-multi'] as const)
    tokens[persona] = await product.signIn(persona);
  providerIds = (await rows<{ id: string }>('SELECT id FROM provider ORDER BY lower(name)')).map(
    ({ id }) => id,
  );
});
afterAll(() => product.close());

const rows = <R extends object>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);

interface Page {
  data: { id: string; status: string }[];
  meta: { total: number; counts: Record<'inbox' | 'connected' | 'delinquent' | 'none', number> };
}
async function list(query: Record<string, string>, who = 'super'): Promise<Page> {
  const answer = await send(
    product.app,
    'GET /api/traders',
    { query: { limit: '10000', ...query } },
    tokens[who],
  );
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Page>();
}
const idsOf = ({ data }: Page) => data.map(({ id }) => id).sort();
const providersOf = { super: null, staff: 1, 'staff-multi': 3 } as const;
const PEOPLE = ['super', 'staff', 'staff-multi'] as const;

/** Traders in the scope of a caller for whom a condition over `t` holds, found without any of the server's help. */
async function known(
  who: (typeof PEOPLE)[number],
  condition: string,
  values: unknown[] = [],
): Promise<string[]> {
  const mine = providerIds.slice(0, providersOf[who] ?? providerIds.length);
  const found = await rows<{ id: string }>(
    `SELECT t.id FROM trader t WHERE (${condition}) AND ($1 OR EXISTS (
       SELECT FROM trader_provider p WHERE p.trader_id = t.id AND p.provider_id = ANY ($2)))`,
    [who === 'super', mine, ...values],
  );
  return found.map(({ id }) => id).sort();
}

test.each(PEOPLE)(
  '%s: a part of a reference number finds the same as a comparison row by row',
  async (who) => {
    for (const part of ['1', '10', '-10', 'kait-1', 'AIT-10', '%', '_', '\\', "'", 'nothing like it'])
      expect(idsOf(await list({ search: part }, who)), part).toEqual(
        await known(who, 'strpos(lower(t.reference_number), lower($3)) > 0', [part]),
      );
  },
);

test.each(PEOPLE)('%s: anything else finds names, Telegram, e-mail and addresses in scope', async (who) => {
  const [trader] = await asOwner<Record<'name' | 'email' | 'telegram_username' | 'deposit_address', string>>(
    product.ownerUrl,
    `SELECT t.name, t.email, t.telegram_username, t.deposit_address FROM trader t
     JOIN trader_provider p ON p.trader_id = t.id AND p.provider_id = $1
     WHERE t.name IS NOT NULL AND t.email IS NOT NULL AND t.telegram_username IS NOT NULL LIMIT 1`,
    [providerIds[0]],
  );
  for (const text of Object.values<string>(trader ?? {})) {
    const part = text.slice(1, 9).toUpperCase();
    const expected = await known(
      who,
      `strpos(lower(concat_ws(E'\\n', t.name, t.telegram_username, t.telegram_user_id, t.email, t.deposit_address,
         t.external_wallet_address,
         (SELECT string_agg(m.deposit_address, E'\\n') FROM pool_member m WHERE m.trader_id = t.id))), lower($3)) > 0 AND strpos(lower(coalesce(t.reference_number, '')), lower($3)) = 0`,
      [part],
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(idsOf(await list({ search: part, search_in: 'other' }, who)), part).toEqual(expected);
  }
});

test('what decorates a text is no part of the search', async () => {
  const [trader] = await rows<{ id: string; reference: string; username: string; address: string }>(
    `SELECT id, reference_number AS reference, telegram_username AS username, deposit_address AS address
     FROM trader WHERE reference_number IS NOT NULL AND telegram_username IS NOT NULL ORDER BY id LIMIT 1`,
  );
  const { id, reference, username, address } = trader ?? { id: '', reference: '', username: '', address: '' };
  expect(idsOf(await list({ search: ` \u2066${reference.toLowerCase()}\u2069\u00a0` }))).toContain(id);
  const others = [
    `@${username.toUpperCase()}`,
    address.toUpperCase().replace('0X', '0x'),
    address.replace(/.{8}/g, '$& '),
  ];
  for (const search of others)
    expect(idsOf(await list({ search, search_in: 'other' })), search).toContain(id);
});

test('a match by reference number is not listed a second time', async () => {
  const [trader] = await rows<{ id: string; part: string }>(
    `UPDATE trader SET name = 'Mr ' || reference_number
     WHERE id = (SELECT id FROM trader WHERE reference_number IS NOT NULL ORDER BY id LIMIT 1)
     RETURNING id, reference_number AS part`,
  );
  expect(idsOf(await list({ search: trader?.part ?? '' }))).toContain(trader?.id);
  expect(idsOf(await list({ search: trader?.part ?? '', search_in: 'other' }))).not.toContain(trader?.id);
  expect(idsOf(await list({ search: `mr ${trader?.part}`, search_in: 'other' }))).toEqual([trader?.id]);
});

test('invoices are found by texts of their trader, and acts on matches touch nothing else', async () => {
  const [trader] = await rows<{ id: string; reference: string }>(
    `UPDATE trader SET name = 'Quillon Vantreight' WHERE id = (SELECT t.id FROM trader t JOIN invoice i ON i.trader_id = t.id
       WHERE t.reference_number IS NOT NULL AND NOT i.is_archived AND (SELECT coalesce(sum(u.amount_units - u.paid_units), 0)
         FROM invoice u WHERE u.trader_id = t.id AND u.status = 'pending') < 1000 * 10::numeric ^ 18 LIMIT 1) RETURNING id, reference_number AS reference`,
  );
  const ask = (query: Record<string, string>) =>
    send(product.app, 'GET /api/invoices/admin/all', { query: { limit: '10000', ...query } }, tokens.super);
  const found = await ask({ search: 'on vantr', search_in: 'other' });
  const own = await ask({ trader_id: trader?.id ?? '' });
  const numbers = (answer: typeof found) =>
    answer
      .json<{ data: { id: string }[] }>()
      .data.map(({ id }) => id)
      .sort();
  expect(numbers(own).length).toBeGreaterThan(0);
  expect(numbers(found)).toEqual(numbers(own));
  const [other] = await rows<{ reference: string }>(
    `SELECT t.reference_number AS reference FROM trader t JOIN invoice i ON i.trader_id = t.id
     WHERE t.id <> $1 AND t.reference_number IS NOT NULL AND NOT i.is_archived LIMIT 1`,
    [trader?.id],
  );
  const archive = (search: string) =>
    send(
      product.app,
      'PATCH /api/invoices/admin/archive',
      {
        body: {
          is_archived: true,
          groups: {
            reference_numbers: [trader?.reference ?? '', other?.reference ?? ''],
            filters: { search, search_in: 'other' },
            in_archive: false,
          },
        },
      },
      tokens.super,
    );
  expect((await archive('no such name')).statusCode).toBe(404);
  const done = await archive('Vantreight');
  expect(done.statusCode, done.body).toBe(200);
  const [left] = await rows<{ mine: number; theirs: number }>(
    `SELECT count(*) FILTER (WHERE i.trader_id = $1 AND NOT i.is_archived)::int AS mine,
       count(*) FILTER (WHERE t.reference_number = $2 AND NOT i.is_archived)::int AS theirs
     FROM invoice i JOIN trader t ON t.id = i.trader_id`,
    [trader?.id, other?.reference],
  );
  expect(left?.mine).toBe(0);
  expect(left?.theirs).toBeGreaterThan(0);
});

test('a new text is found at once, and the old one no longer', async () => {
  const [trader] = await rows<{ id: string }>('SELECT id FROM trader ORDER BY id LIMIT 1');
  const change = (set: string) => rows(`UPDATE trader SET ${set} WHERE id = $1`, [trader?.id]);
  await change("name = 'Zoltán Quux', reference_number = 'ZQ-7'");
  expect(idsOf(await list({ search: 'zq-7' }))).toEqual([trader?.id]);
  expect(idsOf(await list({ search: 'QUUX', search_in: 'other' }))).toEqual([trader?.id]);
  await change("name = 'Ada', reference_number = NULL");
  // Pages of a search share what it found until the change is known.
  await expect.poll(async () => idsOf(await list({ search: 'zq-7' }))).toEqual([]);
  await expect.poll(async () => idsOf(await list({ search: 'quux', search_in: 'other' }))).toEqual([]);
  await rows(
    `UPDATE exchange_account SET removed_at = now() WHERE id = (SELECT id FROM exchange_account WHERE removed_at IS NULL LIMIT 1)`,
  );
  const [kept] = await rows<{ wrong: number }>(
    `SELECT count(*)::int AS wrong FROM (SELECT count(*) FROM trader_text WHERE kind = 'account'
       EXCEPT SELECT count(*) FROM exchange_account WHERE removed_at IS NULL) d`,
  );
  expect(kept?.wrong).toBe(0);
});

test('whoever changes a trader finds it by its new text at once', async () => {
  const [trader] = await rows<{ id: string }>('SELECT id FROM trader ORDER BY id DESC LIMIT 1');
  const id = trader?.id ?? '';
  for (const reference of ['OWN-1', 'OWN-2', 'OWN-3']) {
    const answer = await send(
      product.app,
      'PATCH /api/traders/{id}',
      { params: { id }, body: { reference_number: reference } },
      tokens.super,
    );
    expect(answer.statusCode, answer.body).toBe(200);
    for (const other of ['OWN-1', 'OWN-2', 'OWN-3'])
      expect(idsOf(await list({ search: other })), reference).toEqual(other === reference ? [id] : []);
  }
});

test.each(PEOPLE)('%s: a common text finds the same by a walk as by ids, and counts it', async (who) => {
  await rows(
    `UPDATE trader SET name = 'Ünal 50%_\\\\O''Neil', email = NULL WHERE id IN (SELECT trader_id FROM trader_provider p
       WHERE p.provider_id = ANY ($1) ORDER BY md5(p.trader_id::text) LIMIT 6)`,
    [[providerIds[0], providerIds[3]]],
  );
  await rows(
    `UPDATE exchange_account SET acc_uid = 'Q§' || id WHERE id IN (SELECT a.id FROM exchange_account a
       WHERE a.provider_id = ANY ($1) AND a.acc_uid NOT LIKE 'Q§%' ORDER BY md5(a.id::text) LIMIT 8)`,
    [[providerIds[0], providerIds[3]]],
  );
  const mine = providerIds.slice(0, providersOf[who] ?? providerIds.length);
  const scope =
    who === 'super' ? { kind: 'all' as const } : { kind: 'providers' as const, providerIds: mine };
  const page = { orderBy: 'reference_number', orderDir: 'asc', limit: 500, offset: 0 } as const;
  for (const part of [
    ...[
      'a',
      'X',
      'e',
      '1',
      '@',
      '%',
      '_',
      '\\',
      "'",
      'é',
      'ü',
      'Q§',
      '§',
      'ab',
      '0X',
      '50',
      '0%',
      '%_',
      '_\\',
      'ÜN',
    ],
    ...['mail', 'q§', '%_\\o', '_\\O', "O'n", '0x', 'zzz', '  '],
  ]) {
    const filters = { search: part, search_in: 'other' as const };
    const expected = await known(
      who,
      `strpos(lower(coalesce(t.reference_number, '')), lower($3)) = 0 AND (
         strpos(lower(concat_ws(E'\\n', t.name, t.telegram_username, t.telegram_user_id, t.email, t.deposit_address,
           t.external_wallet_address,
         (SELECT string_agg(m.deposit_address, E'\\n') FROM pool_member m WHERE m.trader_id = t.id))), lower($3)) > 0
         OR EXISTS (SELECT FROM exchange_account a WHERE a.trader_id = t.id AND a.removed_at IS NULL
           AND ($1 OR a.provider_id = ANY ($2))
           AND strpos(lower(concat_ws(E'\\n', a.acc_uid, a.master_address, a.agent_address)), lower($3)) > 0))`,
      [part],
    );
    const found = await product.db.read(scope, async (tx) => {
      const settled: TraderFilters = await resolveSearch<TraderFilters>(tx, filters);
      const walked = await listTraders(tx, { ...filters, ...page }, { include_exchanges: true });
      const collected = await listTraders(tx, { ...filters, ...page, limit: 10_000 }, {});
      const { counts } = await countTraders(tx, filters);
      return { settled, walked, collected, count: Object.values(counts).reduce((sum, count) => sum + count) };
    });
    for (const { parts } of [found.walked, found.collected]) {
      const listed = JSON.parse(`[${parts.join()}]`) as { id: string }[];
      expect(listed.map(({ id }) => id).sort(), part).toEqual(expected);
    }
    expect(found.count, part).toBe(expected.length);
    expect([...(found.settled.found ?? [])].sort(), part).toEqual(expected);
  }
});

test('a text that more than a thousand traders have finds all of them', async () => {
  const { total } = (await list({})).meta;
  await rows(
    `INSERT INTO trader (community_id, name, referral_code)
     SELECT (SELECT id FROM community ORDER BY id LIMIT 1), 'Common Ŵŵ ' || n, 'W' || n FROM generate_series(1, 1100) n`,
  );
  try {
    for (const search of ['ŵŵ', 'ŴŴ', 'common ŵ']) {
      const page = await list({ search, search_in: 'other', limit: '50' });
      expect([page.meta.total, page.data.length]).toEqual([1100, 50]);
      const none = await list({ search, search_in: 'other' }, 'staff');
      expect([none.meta.total, none.data.length]).toEqual([0, 0]);
    }
  } finally {
    await rows("DELETE FROM trader WHERE name LIKE 'Common Ŵŵ %'");
    // Counts are cached until the change is heard of.
    await expect.poll(async () => (await list({})).meta.total).toBe(total);
  }
});

test('a trader is found by its deposit address in a pool, as soon as it has one', async () => {
  const [member] = await rows<{ id: string; trader_id: string }>(
    `UPDATE pool_member SET deposit_address = '0x' || repeat('aBc1', 10)
     WHERE id = (SELECT id FROM pool_member ORDER BY id LIMIT 1) RETURNING id, trader_id`,
  );
  expect(idsOf(await list({ search: '0xABC1abc1ABC1', search_in: 'other' }))).toEqual([member?.trader_id]);
});

test('the journey of a filter passes every file that its README names', async () => {
  const passed = await passedFiles(() => list({ search: 'a', limit: '50' }));
  const journey = { readme: 'traders', journey: 'The journey of a filter of the list' };
  expect(notPassed(journey, passed)).toEqual([]);
});
