import { expect, test } from 'vitest';
import { closedPositionsBetween, equityAt, openPositionsAt, type WorldAccount } from '../../world/index.ts';
import { ask, busiest, DAY_MS, hmac, keysOf, runVenue, spare } from '../testing/running-venue.ts';

const plain = spare('okx', 'plain');

/** Signed by the venue's documentation: time, method, path with query. */
function get(
  { url, clock }: Awaited<ReturnType<typeof runVenue>>,
  path: string,
  over: { account?: WorldAccount; secret?: string; at?: number; passphrase?: string; key?: string } = {},
) {
  const keys = keysOf(over.account ?? plain);
  const timestamp = new Date(over.at ?? clock.now()).toISOString();
  return ask(`${url}${path}`, {
    headers: {
      'OK-ACCESS-KEY': over.key ?? keys.apiKey,
      'OK-ACCESS-PASSPHRASE': over.passphrase ?? ('passphrase' in keys ? keys.passphrase : ''),
      'OK-ACCESS-TIMESTAMP': timestamp,
      'OK-ACCESS-SIGN': hmac(over.secret ?? keys.secretKey, `${timestamp}GET${path}`, 'base64'),
    },
  });
}

const BALANCE = '/api/v5/account/balance';
const HISTORY = '/api/v5/account/positions-history';

test("a signed request returns the account's holdings, in contracts", async () => {
  const venue = await runVenue('okx');
  const now = venue.clock.now();
  const account = busiest('okx');
  const { body } = await get(venue, `${BALANCE}?ccy=USDT`, { account });
  expect(body.code).toBe('0');
  expect(Number(body.data[0].totalEq)).toBe(equityAt(account, now));
  const instruments = (await ask(`${venue.url}/api/v5/public/instruments?instType=SWAP`)).body.data;
  const sizes = new Map<string, number>(
    instruments.map((one: { instId: string; ctVal: string }) => [one.instId, Number(one.ctVal)]),
  );
  const rows = (await get(venue, '/api/v5/account/positions', { account })).body.data;
  for (const open of openPositionsAt(account, now)) {
    const row = rows.find(({ posId }: { posId: string }) => posId === open.openId);
    const units = Math.abs(Number(row.pos)) * (sizes.get(row.instId) ?? 0);
    expect(units).toBeCloseTo(Number(open.contracts), 6);
    if (row.posSide === 'net') expect(Number(row.pos) < 0).toBe(open.side === 'short');
    else expect(row.posSide).toBe(open.side);
  }
});

test('the configuration shows account, permissions and addresses', async () => {
  const venue = await runVenue('okx');
  const { body } = await get(venue, '/api/v5/account/config');
  expect(body.data[0]).toMatchObject({
    uid: plain.accUid,
    mainUid: plain.accUid,
    ip: '',
    perm: 'read_only,trade',
  });
  const other = (await get(venue, '/api/v5/account/config', { account: spare('okx', 'may_withdraw') })).body;
  expect(other.data[0].uid).not.toBe(other.data[0].mainUid);
  expect(other.data[0].ip.split(',')).toContain('127.0.0.1');
  expect(other.data[0].perm).toContain('withdraw');
});

test('invalid requests are refused with their code', async () => {
  const venue = await runVenue('okx');
  const refusal = async (over: Parameters<typeof get>[2]) => {
    const { status, body } = await get(venue, BALANCE, over);
    return [status, body.code];
  };
  const now = venue.clock.now();
  expect(await refusal({ secret: 'wrong' })).toEqual([401, '50113']);
  expect(await refusal({ passphrase: 'wrong' })).toEqual([401, '50105']);
  expect(await refusal({ at: now - 30_001 })).toEqual([401, '50102']);
  expect(await refusal({ at: now - 30_000 })).toEqual([200, '0']);
  expect(await refusal({ key: 'nobody' })).toEqual([401, '50111']);
  expect(await refusal({ account: spare('okx', 'revoked') })).toEqual([401, '50119']);
  expect(await refusal({ account: spare('okx', 'without_futures') })).toEqual([401, '50120']);
  expect(await refusal({ account: spare('okx', 'ip_restricted_without_us') })).toEqual([401, '50110']);
});

test('closed positions go back three months, in pages by time', async () => {
  const venue = await runVenue('okx');
  const account = busiest('okx');
  expect((await get(venue, `${HISTORY}?limit=101`)).body.code).toBe('51000');
  const ids: string[] = [];
  let after = '';
  for (;;) {
    const { data } = (await get(venue, `${HISTORY}?instType=SWAP&limit=3${after}`, { account })).body;
    if (data.length === 0) break;
    for (const row of data) {
      ids.push(`${row.posId}:${row.uTime}`);
      expect(Number(row.realizedPnl)).toBeCloseTo(Number(row.pnl) + Number(row.fee), 6);
    }
    after = `&after=${data.at(-1).uTime}`;
  }
  const now = venue.clock.now();
  const wanted = closedPositionsBetween(account, now - 90 * DAY_MS, now).map(({ venueId }) => venueId);
  expect(account.history().length).toBeGreaterThan(3);
  expect(ids).toEqual(wanted.reverse());
});

test('a user may ask for the balance 10 times in 2 seconds, for the configuration 5 times', async () => {
  const venue = await runVenue('okx', { rateLimits: 'documented' });
  const statuses = async (path: string, count: number) => {
    const statuses = [];
    for (let n = 0; n < count; n++) statuses.push((await get(venue, path)).status);
    return statuses;
  };
  expect(await statuses(BALANCE, 11)).toEqual([...Array(10).fill(200), 429]);
  expect(await statuses('/api/v5/account/config', 6)).toEqual([...Array(5).fill(200), 429]);
  expect((await get(venue, BALANCE)).body.code).toBe('50011');
  venue.clock.advance(2000);
  expect((await get(venue, BALANCE)).status).toBe(200);
});
