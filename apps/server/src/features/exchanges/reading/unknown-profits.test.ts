import type { Exchange } from '@copydesk/domain/catalogue';
import { equityAt } from '@copydesk/simulators/world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { openReadingGateway, readingDeps } from '../../../../../../tests/support/world/account-reading.ts';
import { linkAllProviders } from '../../../../../../tests/support/world/communities.ts';
import { startVenues, type TestVenues } from '../../../../../../tests/support/world/venues.ts';
import { readAccount } from './read-account.ts';
import { claimAccounts } from './reading.store.ts';

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

test('a profit that is not known in USD stays unknown from the exchange to the screen', async () => {
  const answer = await connect('kucoin', 'other_coins');
  expect(answer.statusCode, answer.body).toBe(201);
  const { acc_uid } = answer.json().data;
  // Ether and bitcoin count, far above what is held in dollars.
  expect(Number(answer.json().data.equity)).toBeGreaterThan(
    equityAt(venues.spare('kucoin', 'other_coins'), venues.now()) + 5_000,
  );
  await read('kucoin', acc_uid);
  const stored = await own<{ symbol: string; pnl: string | null }>(
    `SELECT c.symbol, trim_scale(c.closed_pnl)::text AS pnl FROM closed_position c
     JOIN exchange_account a ON a.id = c.account_id WHERE a.acc_uid = $1 AND c.symbol LIKE '%USD' ORDER BY 1`,
    [acc_uid],
  );
  expect(stored).toEqual([
    { symbol: 'BTCUSD', pnl: null },
    { symbol: 'ETHUSD', pnl: '1500' },
  ]);

  const listed = await send(
    product.app,
    'GET /api/traders/{id}/closed-positions',
    { params: { id: traderId }, query: { acc_uid, limit: '1000' } },
    token,
  );
  const { data, meta } = listed.json();
  expect(data.find(({ symbol }: { symbol: string }) => symbol === 'BTCUSD').closed_pnl).toBeNull();
  expect(meta).toMatchObject({ total: data.length, unknown_profit: 1 });

  // Read once more it is the same: nothing is counted twice, and nothing becomes known that is not.
  await read('kucoin', acc_uid);
  const again = await send(
    product.app,
    'GET /api/traders/{id}/closed-positions',
    { params: { id: traderId }, query: { acc_uid, limit: '1000' } },
    token,
  );
  expect(again.json().meta.unknown_profit).toBe(1);
});

test('a second read of closed positions corrects profits that were stored in the wrong unit', async () => {
  const { acc_uid } = (await connect('okx', 'expired_inverse')).json().data;
  await read('okx', acc_uid);
  const list = () =>
    own<{ symbol: string; pnl: string | null }>(
      `SELECT c.symbol, trim_scale(c.closed_pnl)::text AS pnl FROM closed_position c
       JOIN exchange_account a ON a.id = c.account_id WHERE a.acc_uid = $1 AND c.venue_id LIKE '7700000000%' ORDER BY 1`,
      [acc_uid],
    );
  const right = [
    { symbol: 'BTCUSD', pnl: '6000' },
    { symbol: 'ETHUSD', pnl: '500' },
  ];
  expect(await list()).toEqual(right);
  await own(
    `UPDATE closed_position c SET closed_pnl = 0.1, symbol = symbol || '_UM' FROM exchange_account a
     WHERE a.id = c.account_id AND a.acc_uid = $1 AND c.venue_id LIKE '7700000000%'`,
    [acc_uid],
  );
  await read('okx', acc_uid);
  expect(await list()).toEqual(right);
});
