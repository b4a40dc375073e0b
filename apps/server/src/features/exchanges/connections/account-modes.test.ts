import type { Exchange } from '@copydesk/domain/catalogue';
import { EXCHANGE_PROBLEMS } from '@copydesk/domain/trading';
import { equityAt } from '@copydesk/simulators/world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, KEYRING, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { openReadingGateway, readingDeps } from '../../../../../../tests/support/world/account-reading.ts';
import { linkAllProviders } from '../../../../../../tests/support/world/communities.ts';
import { startVenues, type TestVenues } from '../../../../../../tests/support/world/venues.ts';
import { readAccount } from '../reading/read-account.ts';
import { claimAccounts } from '../reading/reading.store.ts';
import { connectExchange } from './connection.service.ts';

// Accounts whose books are unlike those of the others, from the dialog that connects them to the figures on screen.

const DAY_MS = 86_400_000;
const WORKER = { kind: 'system', id: 'test', name: 'test' } as const;

let venues: TestVenues;
let product: TestApp;
let token: string;
let traderId: string;

beforeAll(async () => {
  const seededAt = new Date(Date.now() - DAY_MS);
  venues = await startVenues({ epoch: seededAt, traders: 60 });
  product = await createTestApp({ scale: 0.1, seededAt, env: venues.env });
  token = await product.signIn('super');
  await linkAllProviders(own);
  const [trader] = await own<{ id: string }>(
    'SELECT id FROM trader WHERE account_count = 0 ORDER BY id LIMIT 1',
  );
  traderId = trader?.id ?? '';
});
afterAll(async () => {
  await product?.close();
  await venues?.close();
});

const own = <R extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asOwner<R>(product.ownerUrl, text, values);

async function connect(exchange: Exchange, name: string) {
  const account = venues.spare(exchange, name);
  const given = venues.accounts.credentialsOf(account);
  const [provider] = await own<{ id: string }>(
    'SELECT id FROM provider WHERE $1 = ANY (supported_exchanges) ORDER BY id LIMIT 1',
    [exchange],
  );
  const { exchange: _, ...secrets } =
    given.exchange === 'hyperliquid'
      ? {
          exchange,
          master_address: given.masterAddress,
          agent_address: given.agentAddress,
          agent_private_key: given.agentPrivateKey,
        }
      : given;
  const body = { exchange, provider_id: provider?.id, ...secrets };
  return send(product.app, 'POST /api/traders/{id}/exchange', { params: { id: traderId }, body }, token);
}

/** Has a worker read an account, with all that it closed since the epoch. */
async function read(exchange: Exchange, accUid: string) {
  const { epochMs } = venues.accounts;
  await own('UPDATE account_reading SET due_at = now() + interval $$1 day$$');
  await own(
    `WITH a AS (UPDATE exchange_account SET connected_at = $2, created_at = $2
       WHERE acc_uid = $1 AND removed_at IS NULL RETURNING id)
     UPDATE account_reading r SET due_at = now(), closed_known_to = NULL, closed_read_at = NULL FROM a
     WHERE r.account_id = a.id`,
    [accUid, new Date(epochMs)],
  );
  const gateway = openReadingGateway(product, venues.now);
  try {
    const [claimed] = await product.db.write({ kind: 'all' }, WORKER, (tx) =>
      claimAccounts(tx, { exchange, limit: 1, leaseMs: 20_000 }),
    );
    if (!claimed) throw new Error(`${exchange} ${accUid} is not due`);
    await readAccount(readingDeps(product, gateway, venues.now), claimed);
  } finally {
    await gateway.close();
  }
}

test('a classic account is refused with the remedy, when it is connected and when it is read', async () => {
  const refused = await connect('bybit', 'classic');
  expect(refused.statusCode).toBe(422);
  expect(refused.json()).toMatchObject({
    error: 'exchange_refused',
    message: EXCHANGE_PROBLEMS.classic_account,
  });
  expect(EXCHANGE_PROBLEMS.classic_account).toContain('Upgrade it to a Unified Trading Account');

  // An account that was connected before: its card and its balance say the same.
  const { accUid } = venues.spare('bybit', 'plain');
  expect((await connect('bybit', 'plain')).statusCode).toBe(201);
  const classic = venues.spare('bybit', 'plain');
  const { books } = classic.traits;
  classic.traits.books = 'classic';
  try {
    await read('bybit', accUid);
    const [row] = await own<{ read_error: string }>(
      'SELECT read_error FROM exchange_account WHERE acc_uid = $1 AND removed_at IS NULL',
      [accUid],
    );
    expect(row?.read_error).toBe('classic_account');
    await product.resetExchanges();
    const balances = await send(
      product.app,
      'GET /api/exchanges/trader/{id}/balances',
      { params: { id: traderId } },
      token,
    );
    expect(balances.json().data[accUid].error).toMatchObject({
      code: 'classic_account',
      message: EXCHANGE_PROBLEMS.classic_account,
      retryable: false,
    });
  } finally {
    classic.traits.books = books;
  }
});

test('unified and HIP-3 accounts of hyperliquid, and all assets of binance, connect with their balances', async () => {
  for (const [exchange, name, beside] of [
    ['hyperliquid', 'unified', 0],
    ['hyperliquid', 'other_dex', 1_530],
    ['binance', 'single_asset', 2_500],
    ['binance', 'multi_assets', 2_500],
    ['bybit', 'inverse_apart', 15_000],
  ] as const) {
    const answer = await connect(exchange, name);
    expect(answer.statusCode, answer.body).toBe(201);
    const equity = Number(answer.json().data.equity);
    const known = equityAt(venues.spare(exchange, name), venues.now()) + beside;
    expect(equity, name).toBeGreaterThan(known * 0.98 - 1);
    expect(equity, name).toBeLessThan(known * 1.1 + 800);
  }
});

test.each([
  ['binance', 'portfolio_margin', 'portfolio_margin'],
  ['kucoin', 'unified', 'kucoin_unified'],
] as const)(
  'an account of %s in a mode that cannot be read is refused by name: %s',
  async (exchange, name, problem) => {
    const refused = await connect(exchange, name);
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({ error: 'exchange_refused', message: EXCHANGE_PROBLEMS[problem] });
  },
);

test('the region of a key is stored with its account, and a worker reads the account there', async () => {
  const account = venues.spare('okx', 'plain');
  const given = venues.accounts.credentialsOf(account);
  const [provider] = await own<{ id: string }>('SELECT id FROM provider ORDER BY id LIMIT 1');
  const verified = {
    accUid: account.accUid,
    accountType: 'master',
    mayWithdraw: false,
    region: 'eea',
    equityUsd: '1',
  } as const;
  const connection = { traderId, providerId: provider?.id ?? '', given, verified, at: new Date() };
  await product.db.write({ kind: 'all' }, WORKER, (tx) => connectExchange(tx, KEYRING, connection));
  const stored = () =>
    own<{ region: string; read_error: string | null }>(
      'SELECT region, read_error FROM exchange_account WHERE acc_uid = $1 AND removed_at IS NULL',
      [account.accUid],
    );
  expect(await stored()).toEqual([{ region: 'eea', read_error: null }]);
  const requests = venues.of.okx.requests;
  requests.reset();
  // In the demo world the hosts of all regions are the simulator's.
  await read('okx', account.accUid);
  expect(requests.count()).toBeGreaterThan(0);
  expect(await stored()).toEqual([{ region: 'eea', read_error: null }]);

  // A name that somebody wrote into the database leads nowhere: nothing is sent.
  await own('UPDATE exchange_account SET region = $2 WHERE acc_uid = $1', [account.accUid, 'evil']);
  requests.reset();
  await read('okx', account.accUid);
  expect(requests.count()).toBe(0);
  expect(await stored()).toEqual([{ region: 'evil', read_error: 'unsupported' }]);
  const host = own('UPDATE exchange_account SET region = $2 WHERE acc_uid = $1', [
    account.accUid,
    'evil.example',
  ]);
  await expect(host).rejects.toThrow('exchange_account_region_check');
});
