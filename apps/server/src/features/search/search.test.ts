import type { Found, SearchKind } from '@copydesk/contract/search';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { addInvoicePayment } from '../../../../../tests/support/world/invoices.ts';
import { ownerOf } from '../../../../../tests/support/world/rows.ts';

let product: TestApp;
let superAdmin: string;
let staff: string;
let staffOfThree: string;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  [superAdmin, staff, staffOfThree] = [
    await product.signIn('super'),
    await product.signIn('staff'),
    await product.signIn('staff-multi'),
  ];
});
afterAll(() => product.close());

const owner = <R extends object>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);
async function search(as: string, q: string): Promise<Found[]> {
  const answer = await send(product.app, 'GET /api/search', { query: { q } }, as);
  expect(answer.statusCode, product.logged.filter((line) => line.includes('"level":50')).join('')).toBe(200);
  return answer.json<{ data: Found[] }>().data;
}
const of = (kind: SearchKind, found: readonly Found[]) => found.filter((each) => each.kind === kind);

interface Trader extends Record<string, unknown> {
  id: string;
  reference_number: string;
  telegram_username: string;
  telegram_user_id: string;
  email: string;
  acc_uid: string;
  deposit_address: string;
  provider_id: string;
}
/** A trader of the provider of the staff, or of another one alone. */
async function traderOf(isOwn: boolean): Promise<Trader> {
  const [trader] = await owner<Trader>(
    `SELECT t.id, t.reference_number, t.telegram_username, t.telegram_user_id::text, t.email, a.acc_uid, t.deposit_address,
       a.provider_id
     FROM trader t JOIN exchange_account a ON a.trader_id = t.id AND a.removed_at IS NULL
     WHERE t.reference_number IS NOT NULL AND t.telegram_username <> '' AND t.telegram_user_id IS NOT NULL
       AND t.email IS NOT NULL AND t.deposit_address IS NOT NULL
       AND EXISTS (SELECT FROM invoice i WHERE i.trader_id = t.id AND i.provider_id = a.provider_id)
       AND $1 = EXISTS (SELECT FROM trader_provider s JOIN provider p ON p.id = s.provider_id
         WHERE s.trader_id = t.id AND p.name = 'aurora')
       AND $1 = (a.provider_id = (SELECT id FROM provider WHERE name = 'aurora'))
     ORDER BY t.id LIMIT 1`,
    [isOwn],
  );
  if (!trader) throw new Error('no such trader');
  return trader;
}

test('a trader is found whole by anything that names it, before all others, with what it owes', async () => {
  const trader = await traderOf(true);
  const { data } = (
    await send(
      product.app,
      'GET /api/traders/{id}',
      { params: { id: trader.id }, query: { include_standing: 'true' } },
      superAdmin,
    )
  ).json();
  const owed = data.standing.owed_amount === '0' ? null : data.standing.owed_amount;
  for (const text of [
    trader.reference_number,
    trader.reference_number.toUpperCase(),
    `@${trader.telegram_username}`,
    trader.telegram_user_id,
    trader.email.toUpperCase(),
    trader.acc_uid,
    trader.deposit_address.toUpperCase().replace('0X', '0x'),
    trader.id,
  ])
    for (const as of [superAdmin, staff]) {
      const [first] = await search(as, text);
      expect(first, text).toMatchObject({ kind: 'trader', id: trader.id, is_exact: true });
      if (as === superAdmin) expect(first?.amount).toBe(owed);
    }
  const part = await search(superAdmin, trader.reference_number.slice(0, -1));
  expect(of('trader', part).length).toBeGreaterThan(0);
  expect(of('trader', part).every(({ is_exact }) => !is_exact)).toBe(true);
});

test('a hash leads to the invoice, the trader and the payout behind it', async () => {
  const [invoice] = await owner<{ id: string; trader_id: string }>(
    `SELECT i.id, i.trader_id FROM invoice i JOIN provider p ON p.id = i.provider_id
     WHERE p.name = 'aurora' AND i.status = 'pending' AND NOT i.is_archived LIMIT 1`,
  );
  const hash = `0x${'deed'.padEnd(64, '2')}`;
  await addInvoicePayment(ownerOf(product.ownerUrl), invoice?.id as string, {
    units: '1000000000000000000',
    transactionHash: hash,
  });
  for (const as of [superAdmin, staff]) {
    const found = await search(as, hash);
    expect(of('invoice', found)).toMatchObject([{ id: invoice?.id, is_exact: true }]);
    expect(of('trader', found)).toMatchObject([{ id: invoice?.trader_id }]);
  }
  const [payout] = await owner<{ id: string; hash: string; address: string }>(
    `SELECT id, distribute_transaction_hash AS hash, recipient_address AS address FROM payout
     WHERE distribute_transaction_hash IS NOT NULL LIMIT 1`,
  );
  expect(of('payout', await search(superAdmin, payout?.hash as string))).toMatchObject([
    { id: payout?.id, is_exact: true, title: payout?.address },
  ]);
  const toAddress = of('payout', await search(superAdmin, payout?.address as string));
  expect(toAddress.length).toBeGreaterThan(0);
  expect(toAddress.every(({ title }) => title === payout?.address)).toBe(true);
});

test('a deposit that paid nothing yet leads a super admin to its trader', async () => {
  const trader = await traderOf(true);
  const hash = `0x${'c0ffee'.padEnd(64, '1')}`;
  await owner(
    `WITH seen AS (INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash) VALUES (99, $2, 1, $1))
     INSERT INTO deposit (chain_id, token_address, transaction_hash, log_index, block_number, block_hash, from_address,
       to_address, amount_units, trader_id)
     VALUES (99, $2, $1, 0, 1, $1, $2, $3, 1, $4)`,
    [hash, `0x${'9'.repeat(40)}`, trader.deposit_address, trader.id],
  );
  expect(of('trader', await search(superAdmin, hash))).toMatchObject([{ id: trader.id }]);
  expect(await search(staff, hash)).toEqual([]);
});

test('invoices and payouts are found by the beginning of their id and by their amount', async () => {
  const [invoice] = await owner<{ id: string; amount: string }>(
    `SELECT id, trim_scale(amount_units / 1e18)::text AS amount FROM invoice
     WHERE (amount_units / 1e18) % 1 <> 0 ORDER BY id LIMIT 1`,
  );
  const { id = '', amount = '' } = invoice ?? {};
  expect(of('invoice', await search(superAdmin, id.slice(0, 13)))).toMatchObject([
    { id, is_exact: true, amount },
  ]);
  for (const text of [amount, `${amount} USDT`, `$${amount}`]) {
    const found = of('invoice', await search(superAdmin, text));
    expect(found.length, text).toBeGreaterThan(0);
    expect(new Set(found.map((each) => each.amount))).toEqual(new Set([amount]));
  }
  const [payout] = await owner<{ id: string; amount: string }>(
    `SELECT id, trim_scale(amount_units / 1e18)::text AS amount FROM payout
     WHERE (amount_units / 1e18) % 1 <> 0 ORDER BY id LIMIT 1`,
  );
  const found = await search(superAdmin, payout?.amount as string);
  expect(of('payout', found).every((each) => each.amount === payout?.amount)).toBe(true);
  expect(of('payout', await search(superAdmin, payout?.id as string))).toMatchObject([{ id: payout?.id }]);
});

test('communities, pools, providers and people are found by a part of their names', async () => {
  const [{ name, id, pool } = { name: '', id: '', pool: '' }] = await owner<{
    name: string;
    id: string;
    pool: string;
  }>(
    `SELECT c.name, c.id, p.id AS pool FROM community c JOIN pooled_account p ON p.community_id = c.id
     WHERE p.is_active ORDER BY c.id LIMIT 1`,
  );
  const found = await search(superAdmin, name.toUpperCase());
  expect(found[0]).toMatchObject({ kind: 'community', id, is_exact: true });
  expect(of('pool', found)).toMatchObject([{ id: pool }]);
  expect(of('community', await search(superAdmin, name.slice(1, 5))).map((each) => each.id)).toContain(id);
  expect(of('provider', await search(superAdmin, 'aurora')).map(({ note }) => note)).toContain('aurora');
  expect(of('person', await search(superAdmin, 'staff@demo.example'))).toMatchObject([{ is_exact: true }]);
  for (const as of [staff, staffOfThree]) {
    expect(of('provider', await search(as, 'aurora'))).toEqual([]);
    expect(of('person', await search(as, 'staff@demo.example'))).toEqual([]);
  }
});

test('nobody finds what the lists do not show', async () => {
  const foreign = await traderOf(false);
  const [invoice] = await owner<{ id: string }>('SELECT id FROM invoice WHERE trader_id = $1 LIMIT 1', [
    foreign.id,
  ]);
  const texts = [
    foreign.reference_number,
    foreign.telegram_username,
    foreign.email,
    foreign.acc_uid,
    foreign.deposit_address,
    foreign.id,
    invoice?.id as string,
  ];
  for (const text of texts) {
    const ids = (await search(staff, text)).map(({ id }) => id);
    expect(ids, text).not.toContain(foreign.id);
    expect(ids, text).not.toContain(invoice?.id);
    expect((await search(superAdmin, text)).length, text).toBeGreaterThan(0);
  }
  // Whatever a text finds, a provider of the caller has it.
  const IN_SCOPE: Partial<Record<SearchKind, string>> = {
    trader: 'SELECT trader_id AS id FROM trader_provider WHERE provider_id = ANY ($1)',
    community: 'SELECT community_id AS id FROM community_provider WHERE provider_id = ANY ($1)',
    pool: `SELECT p.id FROM pooled_account p JOIN community_provider l ON l.community_id = p.community_id
      WHERE l.provider_id = ANY ($1)`,
    invoice: 'SELECT id FROM invoice WHERE provider_id = ANY ($1)',
    payout: 'SELECT payout_id AS id FROM payout_provider WHERE provider_id = ANY ($1)',
  };
  for (const [as, email] of [
    [staff, 'staff@demo.example'],
    [staffOfThree, 'staff-multi@demo.example'],
  ] as const) {
    const [access] = await owner<{ ids: string[] }>(
      'SELECT provider_ids::text[] AS ids FROM identity.person WHERE email = $1',
      [email],
    );
    expect(access?.ids.length).toBeGreaterThan(0);
    const found = (
      await Promise.all(['kait', 'a', '0x', 'an', '1', 'demo'].map((text) => search(as, text)))
    ).flat();
    expect(found.length).toBeGreaterThan(10);
    for (const kind of ['trader', 'community', 'pool', 'invoice', 'payout'] as const) {
      const own = new Set(
        (await owner<{ id: string }>(IN_SCOPE[kind] as string, [access?.ids])).map(({ id }) => id),
      );
      expect(of(kind, found).filter(({ id }) => !own.has(id))).toEqual([]);
    }
    expect(found.map(({ kind }) => kind)).not.toContain('person');
  }
});

test('what stands for anything in patterns stands for itself, and any script is a text', async () => {
  for (const text of [
    '%',
    '_',
    '\\',
    "'; --",
    '0x',
    '"',
    'ا',
    'ждать',
    '名前',
    'a'.repeat(200),
    '....',
    '1.1.1',
  ])
    for (const each of await search(superAdmin, text))
      expect(`${each.title} ${each.note}`.toLowerCase(), text).toEqual(expect.any(String));
  expect(of('community', await search(superAdmin, '%'))).toEqual([]);
  const trader = await traderOf(true);
  await owner(`UPDATE trader SET name = 'ليلى 100% _ ok' WHERE id = $1`, [trader.id]);
  for (const text of ['ليلى', '100% _ ok'])
    expect(of('trader', await search(staff, text)).map(({ id }) => id)).toContain(trader.id);
  const none = await send(product.app, 'GET /api/search', { query: { q: ' \u200b ' } }, superAdmin);
  expect(none.statusCode).toBe(400);
});

test('a whole reference number is found among any number of longer ones', async () => {
  const trader = await traderOf(true);
  await owner(`UPDATE trader SET reference_number = 'KAIT-1' WHERE id = $1`, [trader.id]);
  for (const as of [superAdmin, staff])
    expect((await search(as, 'kait-1'))[0]).toMatchObject({ id: trader.id, is_exact: true });
});

test('each kind has its own few', async () => {
  const found = await search(superAdmin, 'kait');
  expect(of('trader', found)).toHaveLength(5);
  const answer = await send(product.app, 'GET /api/search', { query: { q: 'kait', limit: '2' } }, superAdmin);
  expect(of('trader', answer.json().data)).toHaveLength(2);
});
