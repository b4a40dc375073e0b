import { expect, test } from 'vitest';
import { closedPositionsBetween, equityAt, openPositionsAt, type WorldAccount } from '../../world/index.ts';
import { ask, busiest, DAY_MS, EPOCH, hmac, keysOf, runVenue, spare } from '../testing/running-venue.ts';

const plain = spare('bybit', 'plain');

/** Signed by the venue's guide: time, key, window, raw query. */
function get(
  { url, clock }: Awaited<ReturnType<typeof runVenue>>,
  path: string,
  query: string,
  over: { account?: WorldAccount; secret?: string; at?: number; sent?: string } = {},
) {
  const { apiKey, secretKey } = keysOf(over.account ?? plain);
  const timestamp = String(over.at ?? clock.now());
  return ask(`${url}${path}?${over.sent ?? query}`, {
    headers: {
      'X-BAPI-API-KEY': apiKey,
      'X-BAPI-TIMESTAMP': timestamp,
      'X-BAPI-RECV-WINDOW': '5000',
      'X-BAPI-SIGN': hmac(over.secret ?? secretKey, `${timestamp}${apiKey}5000${query}`, 'hex'),
    },
  });
}

const KEY_INFO = '/v5/user/query-api';
const WALLET = '/v5/account/wallet-balance';
const CLOSED = '/v5/position/closed-pnl';

test("a signed request returns the account's holdings", async () => {
  const venue = await runVenue('bybit');
  const now = venue.clock.now();
  const { status, body } = await get(venue, WALLET, 'accountType=UNIFIED');
  expect(status).toBe(200);
  expect(body).toMatchObject({ retCode: 0, retMsg: 'OK', time: now });
  expect(Number(body.result.list[0].totalEquity)).toBe(equityAt(plain, now));
  const positions = await get(venue, '/v5/position/list', 'category=linear&settleCoin=USDT&limit=200');
  expect(positions.body.result.list.map((row: { symbol: string }) => row.symbol).sort()).toEqual(
    openPositionsAt(plain, now)
      .map(({ symbol }) => symbol)
      .sort(),
  );
});

test('the key shows its permissions and addresses', async () => {
  const venue = await runVenue('bybit');
  const { body } = await get(venue, KEY_INFO, '', {});
  expect(body.result).toMatchObject({ ips: ['*'], isMaster: true, parentUid: '0', uta: 1 });
  expect(body.result.permissions.Wallet).toEqual([]);
  const other = await get(venue, KEY_INFO, '', { account: spare('bybit', 'may_withdraw') });
  expect(other.body.result).toMatchObject({ isMaster: false, ips: expect.arrayContaining(['127.0.0.1']) });
  expect(other.body.result.permissions.Wallet).toContain('Withdraw');
});

test('invalid requests are refused with their code', async () => {
  const venue = await runVenue('bybit');
  const code = async (over: Parameters<typeof get>[3]) => (await get(venue, KEY_INFO, '', over)).body.retCode;
  const now = venue.clock.now();
  expect(await code({ secret: 'wrong' })).toBe(10004);
  expect(await code({ sent: 'a=1' })).toBe(10004);
  expect(await code({ at: now - 5001 })).toBe(10002);
  expect(await code({ at: now - 5000 })).toBe(0);
  expect(await code({ at: now + 1000 })).toBe(10002);
  expect(await code({ account: spare('bybit', 'ip_restricted_without_us') })).toBe(10010);
  expect(await code({ account: spare('bybit', 'revoked') })).toBe(10003);
  const account = spare('bybit', 'without_futures');
  expect(await code({ account })).toBe(0);
  expect((await get(venue, WALLET, 'accountType=UNIFIED', { account })).body.retCode).toBe(10005);
  const nothing = await get(venue, '/v5/nothing', '');
  expect([nothing.status, nothing.body.retCode]).toEqual([404, 10017]);
});

test('closed positions come in windows of 7 days and in pages, each once', async () => {
  const venue = await runVenue('bybit');
  const account = busiest('bybit');
  const endTime = EPOCH.getTime() + DAY_MS;
  const startTime = endTime - 7 * DAY_MS;
  const tooLong = await get(venue, CLOSED, `category=linear&startTime=${startTime - 1}&endTime=${endTime}`);
  expect(tooLong.body.retCode).toBe(10001);
  expect((await get(venue, CLOSED, 'category=linear&limit=101')).body.retCode).toBe(10001);
  const ids: string[] = [];
  let cursor = '';
  do {
    const query = `category=linear&startTime=${startTime}&endTime=${endTime}&limit=2${cursor && `&cursor=${cursor}`}`;
    const { body } = await get(venue, CLOSED, query, { account });
    for (const row of body.result.list) ids.push(`${row.orderId}:${row.updatedTime}`);
    cursor = body.result.nextPageCursor;
  } while (cursor !== '');
  const wanted = closedPositionsBetween(account, startTime, endTime).map(({ venueId }) => venueId);
  expect(wanted.length).toBeGreaterThan(3);
  expect(ids).toEqual(wanted.reverse());
});

test('an account may ask 10 times a second about its key, an address 600 times in 5 seconds', async () => {
  const venue = await runVenue('bybit', { rateLimits: 'documented' });
  const answers = [];
  for (let n = 0; n < 11; n++) answers.push(await get(venue, KEY_INFO, ''));
  expect(answers.map(({ body }) => body.retCode)).toEqual([...Array(10).fill(0), 10006]);
  expect(answers[9]?.headers.get('x-bapi-limit-status')).toBe('0');
  venue.clock.advance(1000);
  expect((await get(venue, KEY_INFO, '')).body.retCode).toBe(0);
});

test('an address that asks too often is shut out for ten minutes', async () => {
  const venue = await runVenue('bybit', { rateLimits: 0.01 });
  const statuses = [];
  for (let n = 0; n < 7; n++) statuses.push((await ask(`${venue.url}/v5/market/time`)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 403]);
  venue.clock.advance(9 * 60_000);
  expect((await ask(`${venue.url}/v5/market/time`)).status).toBe(403);
  venue.clock.advance(60_000);
  expect((await ask(`${venue.url}/v5/market/time`)).status).toBe(200);
});
