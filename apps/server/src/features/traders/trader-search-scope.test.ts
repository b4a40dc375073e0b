import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { addInvoicePayment, addInvoices } from '../../../../../tests/support/world/invoices.ts';
import { createStatements } from '../../platform/db/statements.ts';

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
const PEOPLE = ['super', 'staff', 'staff-multi'] as const;

test('an account, an invoice and a hash are found by staff of their provider, not by others who see the trader', async () => {
  const [shared] = await rows<{ trader_id: string; mine: string; theirs: string }>(
    `INSERT INTO exchange_account (trader_id, provider_id, exchange, acc_uid)
     SELECT a.trader_id, $2, 'okx', 'elsewhere-4711' FROM exchange_account a
     WHERE a.provider_id = $1 AND a.removed_at IS NULL LIMIT 1
     RETURNING trader_id, acc_uid AS theirs, (SELECT acc_uid FROM exchange_account m
       WHERE m.trader_id = exchange_account.trader_id AND m.provider_id = $1 LIMIT 1) AS mine`,
    [providerIds[0], providerIds[3]],
  );
  expect(shared).toBeDefined();
  const finds = async (search: string, who: string) =>
    idsOf(await list({ search, search_in: 'other' }, who)).includes(shared?.trader_id ?? '');
  const hash = `0x${'ab'.repeat(32)}`;
  const [mine, theirs] = await Promise.all(
    [providerIds[0], providerIds[3]].map(async (provider, index) => {
      const [invoice = ''] = await addInvoices(rows, shared?.trader_id ?? '', { provider_id: provider });
      const transactionHash = index === 0 ? hash : hash.replaceAll('ab', 'cd');
      await addInvoicePayment(rows, invoice, { units: 1n, transactionHash });
      return invoice;
    }),
  );
  for (const [text, seenBy] of [
    [shared?.mine ?? '', PEOPLE],
    [shared?.theirs ?? '', ['super']],
    [mine?.slice(0, 13) ?? '', PEOPLE],
    [theirs ?? '', ['super']],
    [hash.slice(0, 12), PEOPLE],
    [hash.replaceAll('ab', 'cd'), ['super']],
  ] as [string, readonly string[]][])
    for (const who of PEOPLE) expect(await finds(text, who), `${text} for ${who}`).toBe(seenBy.includes(who));
});

test('a text is visible to those who see its trader or its account, and to no transaction without a context', async () => {
  const textsOf = (provider: string) =>
    product.db.read({ kind: 'providers', providerIds: [provider] }, ({ sql: db }) =>
      db.selectFrom('trader_text').select(['trader_id', 'provider_id', 'kind', 'value']).execute(),
    );
  for (const provider of [providerIds[0] ?? '', providerIds[3] ?? '']) {
    const expected = await rows(
      `SELECT x.trader_id, x.provider_id, x.kind, x.value FROM trader_text x
       WHERE CASE WHEN x.kind = 'account' THEN x.provider_id = $1
         ELSE EXISTS (SELECT FROM trader_provider p WHERE p.trader_id = x.trader_id AND p.provider_id = $1) END`,
      [provider],
    );
    const inOrder = (texts: object[]) => texts.map((text) => JSON.stringify(text)).sort();
    expect(expected.length).toBeGreaterThan(0);
    expect(inOrder(await textsOf(provider))).toEqual(inOrder(expected));
  }
  expect(
    (await createStatements(product.db.pool).query('SELECT count(*)::int AS n FROM trader_text')).rows,
  ).toEqual([{ n: 0 }]);
  expect((await createStatements(product.db.pool).query("SELECT app.traders_with_text('a')")).rows).toEqual(
    [],
  );
});

test('without a context the function answers with nothing, and its tables cannot be reached otherwise', async () => {
  const ask = (text: string) => createStatements(product.db.pool).query(text);
  expect((await ask("SELECT app.search_traders('a', false, 100)")).rows).toEqual([]);
  expect((await ask("SELECT app.search_traders('1', true, 100)")).rows).toEqual([]);
  for (const statement of [
    "UPDATE trader_text SET value = ''",
    'DELETE FROM trader_text',
    'SELECT app.refresh_trader_text(NULL)',
  ])
    await expect(ask(statement), statement).rejects.toThrow(/permission denied/);
  // The scope that the function opened for itself is closed again.
  const scope = { kind: 'providers', providerIds: providerIds.slice(0, 1) } as const;
  const counts = await product.db.read(scope, async ({ sql }) => {
    const count = async () => (await sql.selectFrom('trader').select('id').execute()).length;
    const before = await count();
    await sql
      .selectNoFrom((eb) => eb.fn('app.search_traders', [eb.val('a'), eb.lit(false), eb.lit(5)]).as('id'))
      .execute();
    return [before, await count()];
  });
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts[1]).toBe(counts[0]);
});

test('every trader is in one of the tabs or without an account, for everybody', async () => {
  for (const who of PEOPLE) {
    const all = await list({}, who);
    const tabs = await Promise.all(
      (['inbox', 'connected', 'delinquent', 'none'] as const).map(async (tab) => {
        const page = await list({ tab }, who);
        expect(page.meta.total, tab).toBe(all.meta.counts[tab]);
        return idsOf(page);
      }),
    );
    expect(tabs.flat().sort()).toEqual(idsOf(all));
    expect(all.meta.counts.none).toBeGreaterThan(0);
    const none = await list({ tab: 'none' }, who);
    expect(none.data.every(({ status }) => status === 'pending')).toBe(true);
    for (const orderBy of ['aum', 'reference_number', 'telegram_username', 'created_at'])
      for (const orderDir of ['asc', 'desc']) {
        const page = await list({ tab: 'none', orderBy, orderDir }, who);
        expect(idsOf(page), `${orderBy} ${orderDir}`).toEqual(tabs[3]);
      }
  }
});
