import { expect, test } from 'vitest';
import { closedPositionsBetween, equityAt, openPositionsAt, type WorldAccount } from '../../world/index.ts';
import { ask, busiest, DAY_MS, EPOCH, hmac, keysOf, runVenue, spare } from '../testing/running-venue.ts';

const plain = spare('binance', 'plain');

/** Signed by the rules in the venue's general information: the query up to the signature. */
function get(
  { url, clock }: Awaited<ReturnType<typeof runVenue>>,
  path: string,
  query = '',
  over: { account?: WorldAccount; secret?: string; at?: number; key?: string } = {},
) {
  const { apiKey, secretKey } = keysOf(over.account ?? plain);
  const signed = `${query && `${query}&`}timestamp=${over.at ?? clock.now()}&recvWindow=10000`;
  return ask(`${url}${path}?${signed}&signature=${hmac(over.secret ?? secretKey, signed, 'hex')}`, {
    headers: { 'X-MBX-APIKEY': over.key ?? apiKey },
  });
}

test("a signed request returns the account's holdings", async () => {
  const venue = await runVenue('binance');
  const now = venue.clock.now();
  const { status, body, headers } = await get(venue, '/fapi/v3/account');
  expect(status).toBe(200);
  expect(Number(body.totalMarginBalance)).toBe(equityAt(plain, now));
  expect(body.assets[0].updateTime).toBeGreaterThan(0);
  expect(headers.get('x-mbx-used-weight-1m')).toBe('5');
  const [balance] = (await get(venue, '/fapi/v3/balance')).body;
  expect(balance).toMatchObject({ accountAlias: plain.accUid, asset: 'USDT' });
  const risk = (await get(venue, '/fapi/v3/positionRisk')).body;
  expect(risk).toHaveLength(openPositionsAt(plain, now).length);
  for (const row of risk) expect(row).not.toHaveProperty('leverage');
  const restrictions = (await get(venue, '/sapi/v1/account/apiRestrictions')).body;
  expect(restrictions).toMatchObject({ ipRestrict: false, enableWithdrawals: false });
});

test('invalid requests are refused with their code, and key, address and permission share one', async () => {
  const venue = await runVenue('binance');
  const refusal = async (over: Parameters<typeof get>[3]) => {
    const { status, body } = await get(venue, '/fapi/v3/account', '', over);
    return [status, body.code];
  };
  expect(await refusal({ secret: 'wrong' })).toEqual([400, -1022]);
  expect(await refusal({ at: venue.clock.now() - 10_001 })).toEqual([400, -1021]);
  expect(await refusal({ at: venue.clock.now() + 1000 })).toEqual([400, -1021]);
  expect(await refusal({ key: 'short' })).toEqual([401, -2014]);
  expect(await refusal({ key: 'x'.repeat(64) })).toEqual([401, -2015]);
  expect(await refusal({ account: spare('binance', 'ip_restricted_without_us') })).toEqual([401, -2015]);
  expect(await refusal({ account: spare('binance', 'revoked') })).toEqual([401, -2015]);
  expect(await refusal({ account: spare('binance', 'without_futures') })).toEqual([401, -2015]);
});

test('income and trades list the closed positions, fill by fill', async () => {
  const venue = await runVenue('binance');
  const account = busiest('binance');
  const endTime = EPOCH.getTime() + DAY_MS;
  const startTime = endTime - 7 * DAY_MS;
  const range = `startTime=${startTime}&endTime=${endTime}&limit=1000`;
  const income = await get(venue, '/fapi/v1/income', `incomeType=REALIZED_PNL&${range}`, { account });
  const symbols = new Set<string>(income.body.map((row: { symbol: string }) => row.symbol));
  const sums = new Map<string, number>();
  for (const symbol of symbols) {
    const { body } = await get(venue, '/fapi/v1/userTrades', `symbol=${symbol}&${range}`, { account });
    for (const fill of body)
      if (Number(fill.realizedPnl) !== 0) {
        const id = `${fill.symbol}:${fill.orderId}:${fill.time}`;
        sums.set(id, (sums.get(id) ?? 0) + Number(fill.realizedPnl));
      }
  }
  const wanted = closedPositionsBetween(account, startTime, endTime);
  expect(wanted.length).toBeGreaterThan(2);
  expect([...sums.keys()].sort()).toEqual(wanted.map(({ venueId }) => venueId).sort());
  for (const { venueId, grossPnl } of wanted) expect(sums.get(venueId)).toBeCloseTo(grossPnl, 7);
});

test('some orders are filled in two parts at one ms, which together are the whole', async () => {
  const venue = await runVenue('binance');
  const account = busiest('binance');
  const split = closedPositionsBetween(account, venue.clock.now() - 89 * DAY_MS, venue.clock.now()).find(
    ({ closedAt, contracts, instrument }) => closedAt % 3 === 0 && Number(contracts) > instrument.lot * 1.5,
  );
  if (!split) throw new Error('nothing is split');
  const { body } = await get(
    venue,
    '/fapi/v1/userTrades',
    `symbol=${split.symbol}&startTime=${split.closedAt}&endTime=${split.closedAt}`,
    { account },
  );
  expect(body).toHaveLength(2);
  expect(new Set(body.map(({ orderId, time }: Record<string, number>) => `${orderId} ${time}`)).size).toBe(1);
  expect(Number(body[0].qty) + Number(body[1].qty)).toBeCloseTo(Number(split.contracts), 6);
});

test('windows of 7 days, 3 months and 1000 rows are kept to', async () => {
  const venue = await runVenue('binance');
  const now = venue.clock.now();
  const code = async (path: string, query: string) => (await get(venue, path, query)).body.code;
  const week = `startTime=${now - 7 * DAY_MS - 1}&endTime=${now}`;
  expect(await code('/fapi/v1/userTrades', `symbol=BTCUSDT&${week}`)).toBe(-4165);
  expect(await code('/fapi/v1/userTrades', `symbol=BTCUSDT&startTime=${now - 120 * DAY_MS}`)).toBe(-4166);
  expect(await code('/fapi/v1/userTrades', '')).toBe(-1102);
  expect(await code('/fapi/v1/userTrades', 'symbol=NOPE')).toBe(-1121);
  expect(await code('/fapi/v1/income', 'limit=1001')).toBe(-1130);
  expect(await code('/fapi/v1/income', `startTime=${now}&endTime=${now - 1}`)).toBe(-1023);
});

test('an address has 2400 weight a minute, and is shut out when it goes on after the first refusal', async () => {
  const venue = await runVenue('binance', { rateLimits: 'documented' });
  const answers = [];
  for (let n = 0; n < 90; n++) answers.push(await get(venue, '/fapi/v1/income'));
  expect(answers.map(({ status }) => status)).toEqual([...Array(80).fill(200), ...Array(9).fill(429), 418]);
  expect(answers[80]?.body.code).toBe(-1003);
  expect(Number(answers[80]?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(answers[89]?.headers.get('retry-after')).toBe('120');
  venue.clock.advance(121_000);
  expect((await get(venue, '/fapi/v1/income')).status).toBe(200);
});
