import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import type { Mail } from '../../../platform/work/mail/smtp.ts';
import { pruneReveals } from './reveals.store.ts';

/** Two processes of the API over one database. */
let product: TestApp;
let other: TestApp;
let accounts: Account[];
const mails: Mail[] = [];
const START = Date.now();
let minutes = 0;
const clock = () => new Date(START + minutes * 60_000);

interface Account extends Record<string, unknown> {
  id: string;
  trader_id: string;
  exchange: string;
  acc_uid: string;
}

beforeAll(async () => {
  const options = { clock, sendMail: async (mail: Mail) => void mails.push(mail) };
  product = await createTestApp({ scale: 0.6, ...options });
  other = await createTestApp({ ...options, sharing: product });
  accounts = await asOwner<Account>(
    product.ownerUrl,
    `SELECT a.id, a.trader_id, a.exchange, a.acc_uid FROM exchange_account a
     WHERE a.removed_at IS NULL AND a.provider_id = (SELECT id FROM provider ORDER BY lower(name), id LIMIT 1)
       AND (SELECT count(*) FROM exchange_credential c WHERE c.account_id = a.id AND c.field IN ('api_key', 'secret_key')) = 2
     ORDER BY a.id LIMIT 70`,
  );
  expect(accounts.length).toBeGreaterThan(52);
});
afterAll(async () => {
  await other?.close();
  await product?.close();
});
// Each test begins a day and a half later.
beforeEach(() => {
  minutes += 36 * 60;
  mails.length = 0;
});

const reveal = async (
  app: TestApp,
  as: string,
  account: Account | undefined,
  more: { field?: 'api_key' | 'secret_key'; reason?: string } = {},
) => {
  if (!account) throw new Error('no account');
  const { trader_id, exchange, acc_uid } = account;
  const body = { exchange, acc_uid, field: 'api_key', ...more };
  const parts = { params: { id: trader_id }, body };
  const answer = await send(app.app, 'POST /api/traders/{id}/exchange/reveal', parts as never, as);
  const { data, error } = answer.json();
  return { status: answer.statusCode, error, left: data?.reveals_left, value: data?.value };
};
const inTurn = async (as: string, from: number, to: number) => {
  for (const account of accounts.slice(from, to))
    expect((await reveal(product, as, account)).status).toBe(200);
};
const bursts = () =>
  asOwner<{ burst: string; count: number }>(
    product.ownerUrl,
    `SELECT burst, count(*)::int AS count FROM credential_reveal
     WHERE burst IS NOT NULL AND revealed_at > $1 GROUP BY 1 ORDER BY 1`,
    [new Date(clock().getTime() - 24 * 3_600_000)],
  );

test('an account counts once, whichever of its fields and however often, for ten minutes', async () => {
  const staff = await product.signIn('staff');
  const [first, second] = accounts;
  expect((await reveal(product, staff, first)).left).toBe(9);
  expect((await reveal(other, staff, first, { field: 'secret_key' })).left).toBe(9);
  minutes += 9;
  expect((await reveal(product, staff, first)).left).toBe(9);
  expect((await reveal(product, staff, second)).left).toBe(8);
  minutes += 1;
  expect((await reveal(product, staff, first)).left).toBe(7);
  // Another person has its own.
  expect((await reveal(product, await product.signIn('super'), first)).left).toBe(9);
});

test('after ten a reason opens the next ten, in every process, and is in the audit', async () => {
  const staff = await product.signIn('staff');
  await inTurn(staff, 0, 10);
  for (const app of [product, other])
    expect(await reveal(app, staff, accounts[10])).toEqual({ status: 403, error: 'reveal_reason_required' });
  // What is revealed already stays so.
  expect((await reveal(other, staff, accounts[3], { field: 'secret_key' })).left).toBe(0);
  expect((await reveal(product, staff, accounts[10], { reason: ' ' })).status).toBe(400);
  const opened = await reveal(product, staff, accounts[10], { reason: 'Moving keys to the new IP list' });
  expect([opened.status, opened.left]).toEqual([200, 9]);
  await inTurn(staff, 11, 20);
  expect((await reveal(other, staff, accounts[20])).error).toBe('reveal_reason_required');
  const entries = await asOwner<{ after: Record<string, unknown>; actor_name: string }>(
    product.ownerUrl,
    `SELECT after, actor_name FROM audit_entry WHERE action = 'exchange.credential_revealed' AND after ? 'reason'`,
  );
  expect(entries).toEqual([
    {
      actor_name: 'staff@demo.example',
      after: {
        exchange: accounts[10]?.exchange,
        acc_uid: accounts[10]?.acc_uid,
        field: 'api_key',
        reason: 'Moving keys to the new IP list',
      },
    },
  ]);
  expect(await bursts()).toEqual([]);
  // An hour later ten are free again.
  minutes += 60;
  expect((await reveal(product, staff, accounts[20])).left).toBe(9);
});

test('of twenty at once, in two tabs and two processes, ten pass without a reason', async () => {
  const staff = await product.signIn('staff');
  const answers = await Promise.all(
    accounts.slice(0, 20).map((account, index) => reveal(index % 2 ? product : other, staff, account)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(answers.filter(({ error }) => error === 'reveal_reason_required')).toHaveLength(10);
  // One reason at once opens ten more, not ten for each tab.
  const reason = 'Comparing with the exchange';
  await Promise.all(
    [product, other].map((app, index) => reveal(app, staff, accounts[20 + index], { reason })),
  );
  const more = await Promise.all(accounts.slice(22, 40).map((account) => reveal(other, staff, account)));
  expect(more.filter(({ status }) => status === 200)).toHaveLength(8);
});

test('a second reason within the hour alarms: log, figure and every super admin', async () => {
  const staff = await product.signIn('staff');
  await inTurn(staff, 0, 10);
  await reveal(product, staff, accounts[10], { reason: 'The first' });
  await inTurn(staff, 11, 20);
  expect(await bursts()).toEqual([]);
  expect((await reveal(product, staff, accounts[20], { reason: 'The second' })).status).toBe(200);
  expect(await bursts()).toEqual([{ burst: 'reasons', count: 1 }]);
  await expect
    .poll(() => mails.map(({ to }) => to).sort())
    .toEqual(['super-2@demo.example', 'super@demo.example']);
  expect(mails[0]?.text).toContain('staff@demo.example has given a second reason within an hour');
  await product.securityLog.flush();
  const logged = await asOwner(
    product.ownerUrl,
    `SELECT kind, call, caller_name FROM refused_attempt WHERE code = 'reveal_burst'`,
  );
  expect(logged).toEqual([
    { kind: 'rate', call: 'POST /api/traders/{id}/exchange/reveal', caller_name: 'staff@demo.example' },
  ]);
});

test('more than fifty accounts of a day alarm once, at any pace', async () => {
  const staff = await product.signIn('staff');
  for (let at = 0; at < 50; at += 10) {
    await inTurn(staff, at, at + 10);
    minutes += 61;
  }
  expect(await bursts()).toEqual([]);
  await inTurn(staff, 50, 53);
  expect(await bursts()).toEqual([{ burst: 'accounts', count: 1 }]);
  await expect.poll(() => mails.length).toBe(2);
});

test('nobody takes a reveal back, and another person does not see it', async () => {
  const staff = await product.signIn('staff');
  await reveal(product, staff, accounts[0]);
  const as = { kind: 'user', id: 'someone', name: 'Someone' } as const;
  const scope = { kind: 'providers', providerIds: [] } as const;
  const seen = await product.apiDb.write(scope, as, async (tx) =>
    tx.sql.selectFrom('credential_reveal').selectAll().execute(),
  );
  expect(seen).toEqual([]);
  await expect(
    product.apiDb.write({ kind: 'all' }, as, (tx) => tx.sql.deleteFrom('credential_reveal').execute()),
  ).rejects.toThrow(/permission denied/);
  minutes += 31 * 24 * 60;
  expect(await pruneReveals({ db: product.db, now: clock })).toBeGreaterThan(0);
  expect(await asOwner(product.ownerUrl, 'SELECT FROM credential_reveal')).toEqual([]);
});
