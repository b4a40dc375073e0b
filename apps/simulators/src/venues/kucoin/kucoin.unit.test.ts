import { expect, test } from 'vitest';
import { closedPositionsBetween, equityAt, openPositionsAt, type WorldAccount } from '../../world/index.ts';
import { ask, busiest, hmac, keysOf, runVenue, spare } from '../testing/running-venue.ts';

const plain = spare('kucoin', 'plain');

interface Over {
  account?: WorldAccount;
  secret?: string;
  at?: number;
  passphrase?: string;
  version?: string;
}

/** Signed by the venue's documentation: time, method, path with query; the passphrase is signed separately. */
function get({ url, clock }: Awaited<ReturnType<typeof runVenue>>, path: string, over: Over = {}) {
  const keys = keysOf(over.account ?? plain);
  const timestamp = String(over.at ?? clock.now());
  const passphrase = over.passphrase ?? ('passphrase' in keys ? keys.passphrase : '');
  return ask(`${url}${path}`, {
    headers: {
      'KC-API-KEY': keys.apiKey,
      'KC-API-KEY-VERSION': over.version ?? '2',
      'KC-API-PASSPHRASE': hmac(keys.secretKey, passphrase, 'base64'),
      'KC-API-TIMESTAMP': timestamp,
      'KC-API-SIGN': hmac(over.secret ?? keys.secretKey, `${timestamp}GET${path}`, 'base64'),
    },
  });
}

test("a signed request returns the account's holdings, as numbers and in contracts", async () => {
  const venue = await runVenue('kucoin');
  const now = venue.clock.now();
  for (const account of [plain, busiest('kucoin')]) {
    let sum = 0;
    for (const currency of ['USDT', 'USDC', 'XBT']) {
      const { body } = await get(venue, `/api/v1/account-overview?currency=${currency}`, { account });
      expect(body.code).toBe('200000');
      sum += body.data.accountEquity;
    }
    expect(sum).toBeCloseTo(equityAt(account, now), 6);
  }
  const contracts = (await ask(`${venue.url}/api/v1/contracts/active`)).body.data;
  const rows = (await get(venue, '/api/v1/positions')).body.data;
  const open = openPositionsAt(plain, now);
  expect(rows).toHaveLength(open.length);
  for (const row of rows) {
    const { multiplier, baseCurrency } = contracts.find(
      (one: { symbol: string }) => one.symbol === row.symbol,
    );
    const base = baseCurrency === 'XBT' ? 'BTC' : baseCurrency;
    const twin = open.find(({ instrument }) => instrument.base === base);
    expect(Math.abs(row.currentQty) * multiplier).toBeCloseTo(Number(twin?.contracts), 6);
    expect(Number.isInteger(row.currentQty)).toBe(true);
  }
});

test('the key shows its permissions, addresses and owner', async () => {
  const venue = await runVenue('kucoin');
  const { data } = (await get(venue, '/api/v1/user/api-key')).body;
  expect(data).toMatchObject({ permission: 'General,Futures', isMaster: true, uid: Number(plain.accUid) });
  expect(data).not.toHaveProperty('ipWhitelist');
  const other = await get(venue, '/api/v1/user/api-key', { account: spare('kucoin', 'may_withdraw') });
  expect(other.body.data.ipWhitelist.split(',')).toContain('127.0.0.1');
  expect(other.body.data).toMatchObject({
    isMaster: false,
    permission: expect.stringContaining('Withdrawal'),
  });
});

test('invalid requests are refused with their code', async () => {
  const venue = await runVenue('kucoin');
  const code = async (over: Over) => (await get(venue, '/api/v1/positions', over)).body.code;
  const now = venue.clock.now();
  expect(await code({ secret: 'wrong' })).toBe('400005');
  expect(await code({ passphrase: 'wrong' })).toBe('400004');
  expect(await code({ version: '1' })).toBe('400004');
  expect(await code({ at: now - 5001 })).toBe('400002');
  expect(await code({ at: now - 5000 })).toBe('200000');
  expect(await code({ account: spare('kucoin', 'ip_restricted_without_us') })).toBe('400006');
  expect(await code({ account: spare('kucoin', 'revoked') })).toBe('400003');
  expect(await code({ account: spare('kucoin', 'without_futures') })).toBe('400007');
  expect((await ask(`${venue.url}/api/v1/positions`)).body.code).toBe('400001');
});

test('closed positions come in numbered pages, net of fees', async () => {
  const venue = await runVenue('kucoin');
  const account = busiest('kucoin');
  const path = '/api/v1/history-positions';
  expect((await get(venue, `${path}?limit=201`)).body.code).toBe('400100');
  const wanted = closedPositionsBetween(account, 0, venue.clock.now());
  const first = (await get(venue, `${path}?limit=7&pageId=1`, { account })).body.data;
  expect(first).toMatchObject({ totalNum: wanted.length, totalPage: Math.ceil(wanted.length / 7) });
  const ids: string[] = [];
  for (let pageId = 1; pageId <= first.totalPage; pageId++) {
    const { items } = (await get(venue, `${path}?limit=7&pageId=${pageId}`, { account })).body.data;
    for (const row of items) {
      ids.push(row.closeId);
      expect(Number(row.pnl)).toBeCloseTo(-Number(row.realisedGrossCost) - Number(row.tradeFee), 6);
    }
  }
  expect(wanted.length).toBeGreaterThan(7);
  expect(ids).toEqual(wanted.map(({ venueId }) => venueId).reverse());
});

test('a user has 2000 weight in 30 seconds, and gets the rest in a header', async () => {
  const venue = await runVenue('kucoin', { rateLimits: 0.005 });
  const answers = [];
  for (let n = 0; n < 6; n++) answers.push(await get(venue, '/api/v1/positions'));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(answers[4]?.headers.get('gw-ratelimit-remaining')).toBe('0');
  expect(answers[5]?.body.code).toBe('429000');
  venue.clock.advance(Number(answers[5]?.headers.get('gw-ratelimit-reset')));
  expect((await get(venue, '/api/v1/positions')).status).toBe(200);
});
