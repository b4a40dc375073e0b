import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reply, startLoopbackVenue } from '../../../../../../tests/support/exchanges/loopback-venue.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { openReadingGateway, readingDeps } from '../../../../../../tests/support/world/account-reading.ts';
import { readAccount } from './read-account.ts';
import { claimAccounts } from './reading.store.ts';

// A worker and an exchange whose history does not go as far back as it is asked for, and whose pages lead in a circle.

const DAY_MS = 86_400_000;
const WORKER = { kind: 'system', id: 'test', name: 'test' } as const;
const CLOSED_AT = Date.now() - 2 * DAY_MS;

let venue: Awaited<ReturnType<typeof startLoopbackVenue>>;
let product: TestApp;
let accountId: string;

const own = <R extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asOwner<R>(product.ownerUrl, text, values);

/** Bybit with a clock a minute ahead; the newest window has three pages, of which the last two name each other. */
function answer(path: string, query: URLSearchParams): Reply {
  const result = (body: object): Reply => ({ body: { retCode: 0, result: body } });
  if (path.endsWith('wallet-balance'))
    return result({ list: [{ accountType: 'UNIFIED', totalEquity: '100' }] });
  if (path.endsWith('query-api')) return result({ uta: 1 });
  if (!path.endsWith('closed-pnl')) return result({ list: [], nextPageCursor: '' });
  const startTime = Number(query.get('startTime'));
  if (startTime < Date.now() + 60_000 - 730 * DAY_MS)
    return {
      body: {
        retCode: 10001,
        retMsg: "Can't query order earlier than 2 years, please check your params: startTime or endTime!",
      },
    };
  const isThere = startTime <= CLOSED_AT && Number(query.get('endTime')) >= CLOSED_AT;
  if (query.get('category') !== 'linear' || !isThere) return result({ list: [], nextPageCursor: '' });
  const page = query.get('cursor') ?? 'first';
  const row = {
    symbol: 'BTCUSDT',
    orderId: page,
    side: 'Sell',
    closedSize: '1',
    avgEntryPrice: '1',
    avgExitPrice: '2',
    closedPnl: '1',
    updatedTime: String(CLOSED_AT),
  };
  return result({ list: [row], nextPageCursor: page === 'one' ? 'two' : 'one' });
}

beforeAll(async () => {
  venue = await startLoopbackVenue(({ path, query }) => answer(path, query));
  product = await createTestApp({ scale: 0.1, seededAt: new Date(), env: { EXCHANGE_BYBIT_URL: venue.url } });
  const [found] = await own<{ id: string }>(
    `SELECT a.id FROM exchange_account a JOIN exchange_credential c ON c.account_id = a.id
     WHERE a.exchange = 'bybit' AND a.removed_at IS NULL ORDER BY a.id LIMIT 1`,
  );
  accountId = found?.id ?? '';
});
afterAll(async () => {
  await product?.close();
  await venue?.[Symbol.asyncDispose]();
});

test('an account that was not read for 900 days is read as far as the exchange remembers, and moves on', async () => {
  await own("UPDATE account_reading SET due_at = now() + interval '1 day'");
  await own('UPDATE exchange_account SET connected_at = $2, created_at = $2 WHERE id = $1', [
    accountId,
    new Date(Date.now() - 900 * DAY_MS),
  ]);
  await own(
    `UPDATE account_reading SET due_at = now(), closed_known_to = NULL, closed_read_at = NULL WHERE account_id = $1`,
    [accountId],
  );
  const gateway = openReadingGateway(product, Date.now);
  let turns = 0;
  const state = async () =>
    (
      await own<{ known_to: Date | null; failures: number }>(
        'SELECT closed_known_to AS known_to, failures FROM account_reading WHERE account_id = $1',
        [accountId],
      )
    )[0];
  while ((await state())?.known_to === null && turns < 10) {
    turns += 1;
    await own('UPDATE account_reading SET due_at = now() WHERE account_id = $1', [accountId]);
    const [claimed] = await product.db.write({ kind: 'all' }, WORKER, (tx) =>
      claimAccounts(tx, { exchange: 'bybit', limit: 1, leaseMs: 20_000 }),
    );
    if (!claimed) throw new Error('not due');
    await readAccount(readingDeps(product, gateway, Date.now), claimed);
  }
  await gateway.close();
  expect((await state())?.failures).toBe(0);
  expect((await state())?.known_to?.getTime()).toBeGreaterThan(CLOSED_AT);
  const closed = await own<{ venue_id: string }>(
    `SELECT venue_id FROM closed_position WHERE account_id = $1 AND venue_id ~ '^(first|one|two):' ORDER BY venue_id`,
    [accountId],
  );
  expect(closed.map(({ venue_id }) => venue_id.replace(/:.*/, ''))).toEqual(['first', 'one', 'two']);
  const pages = venue.requests.filter(({ path }) => path.endsWith('closed-pnl'));
  // 105 windows of linear and as many of inverse contracts, and two more pages.
  expect(pages.length).toBeLessThan(230);
});
