import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createPoolState, createPools, type PoolState } from '../../../pools/index.ts';
import { createWorldAccounts, demoPoolAccount } from '../../../world/index.ts';
import { createFaults, startVenue } from '../../index.ts';

const USDT = 10n ** 18n;
const DAY_MS = 86_400_000;
const EPOCH = new Date('2026-03-01T10:00:00.000Z');
const account = demoPoolAccount(1);

async function run(changes: Partial<PoolState> = {}, rateLimits: 'off' | 'documented' = 'off') {
  const clock = { ms: EPOCH.getTime() };
  const now = () => clock.ms;
  const faults = createFaults();
  const { uid, credentials, depositAddress } = account;
  const state = createPoolState({ ...credentials, uid, depositAddress, ...changes });
  const pools = createPools({ accounts: [state], faults, now });
  const accounts = createWorldAccounts({ epoch: EPOCH, count: 3 });
  const venue = await startVenue({ venue: 'bybit', accounts, now, rateLimits, pools, faults });
  onTestFinished(() => venue.close());

  /** Signed by the venue's guide: time, key, window, raw query or body. */
  async function send(method: 'GET' | 'POST', path: string, signed: string) {
    const { apiKey, secretKey } = credentials;
    const text = `${clock.ms}${apiKey}5000${signed}`;
    const answer = await fetch(`${venue.url}${path}${method === 'GET' ? `?${signed}` : ''}`, {
      method,
      headers: {
        'X-BAPI-API-KEY': apiKey,
        'X-BAPI-TIMESTAMP': String(clock.ms),
        'X-BAPI-RECV-WINDOW': '5000',
        'X-BAPI-SIGN': createHmac('sha256', secretKey).update(text).digest('hex'),
      },
      ...(method === 'POST' ? { body: signed } : {}),
    });
    // biome-ignore lint/suspicious/noExplicitAny: whatever the venue says; the tests say what it must be.
    return (await answer.json()) as { retCode: number; result: any };
  }

  const control = async (body?: object, headers = { 'content-type': 'application/json' }) => {
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {};
    const answer = await fetch(`${venue.url}/__pools`, init);
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    return { status: answer.status, body: (await answer.json()) as any };
  };
  return {
    ...venue,
    pools,
    clock,
    get: (path: string, query = '') => send('GET', path, query),
    send,
    control,
  };
}

test('records of more than 30 days, or of more than 50 rows, are refused', async () => {
  const venue = await run();
  const now = venue.clock.ms;
  for (const path of ['/v5/asset/deposit/query-record', '/v5/asset/withdraw/query-record']) {
    const ask = async (query: string) => (await venue.get(path, query)).retCode;
    expect(await ask(`startTime=${now - 30 * DAY_MS}&endTime=${now}`)).toBe(10001);
    expect(await ask(`startTime=${now - 30 * DAY_MS + 1}&endTime=${now}`)).toBe(0);
    expect(await ask('limit=51')).toBe(10001);
  }
  expect((await venue.get('/v5/account/transaction-log', 'limit=51')).retCode).toBe(10001);
  const week = `startTime=${now - 7 * DAY_MS - 1}&endTime=${now}`;
  expect((await venue.get('/v5/account/transaction-log', week)).retCode).toBe(10001);
});

test('the body of a transfer is signed, and only USDT goes from FUND to UNIFIED', async () => {
  const venue = await run({ funding: 10n * USDT });
  const transferId = '42c0cfb0-6bca-4242-bc76-4e6df6cbcb16';
  const body = { transferId, coin: 'USDT', amount: '4', fromAccountType: 'FUND', toAccountType: 'UNIFIED' };
  const post = (over: object) =>
    venue.send('POST', '/v5/asset/transfer/inter-transfer', JSON.stringify({ ...body, ...over }));
  expect((await post({ coin: 'BTC' })).retCode).toBe(131002);
  expect((await post({ toAccountType: 'SPOT' })).retCode).toBe(131002);
  expect((await post({ amount: '-1' })).retCode).toBe(131215);
  expect((await post({ amount: '0' })).retCode).toBe(131215);
  expect(await post({})).toMatchObject({ retCode: 0, result: { transferId, status: 'SUCCESS' } });
  expect((await post({})).retCode).toBe(131214);
  expect(venue.pools.get(account.uid)).toMatchObject({ funding: 6n * USDT, unified: 4n * USDT });
});

test('a transfer is listed for seven days', async () => {
  const venue = await run({
    transfers: [{ transferId: 'a', units: USDT, status: 'SUCCESS', at: EPOCH.getTime() }],
  });
  const list = async () =>
    (await venue.get('/v5/asset/transfer/query-inter-transfer-list', 'transferId=a')).result.list;
  venue.clock.ms += 7 * DAY_MS;
  expect(await list()).toHaveLength(1);
  venue.clock.ms += 1;
  expect(await list()).toHaveLength(0);
});

test('an account lists its deposits 100 times a minute', async () => {
  const venue = await run({}, 'documented');
  const codes = [];
  for (let n = 0; n < 101; n++) codes.push((await venue.get('/v5/asset/deposit/query-record')).retCode);
  expect(codes).toEqual([...Array(100).fill(0), 10006]);
});

test('the control interface acts as a person would', async () => {
  const venue = await run();
  const { uid } = account;
  expect((await venue.control({ account: uid, act: 'deposit', amount: '100.5' })).body.pools).toMatchObject([
    { account: uid, funding: '100.5', own: '100.5', deposits: 1 },
  ]);
  await venue.control({ account: uid, act: 'trade', every_ms: 60_000 });
  expect((await venue.control()).body.pools[0].is_trading).toBe(true);
  await venue.control({ account: uid, act: 'stop' });
  const to = `0x${'cd'.repeat(20)}`;
  expect(
    (await venue.control({ account: uid, act: 'withdraw', amount: '50', to })).body.pools[0],
  ).toMatchObject({
    is_trading: false,
    withdrawals: [{ status: 'success', to, amount: '50' }],
  });
  const fault = { kind: 'deposit_held', account: uid, times: 1 };
  await fetch(`${venue.url}/__faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  expect((await venue.control({ account: uid, act: 'deposit', amount: '9' })).body.pools[0].funding).toBe(
    '50.2',
  );
  expect((await venue.control({ account: uid, act: 'release' })).body.pools[0].funding).toBe('59.2');
});

test.each([
  [{ account: '1', act: 'release' }, 'account must be the uid of a pool'],
  [{ account: account.uid, act: 'deposit', amount: '1e3' }, 'act must be deposit'],
  [{ account: account.uid, act: 'withdraw', amount: '5', to: '0x' }, 'not that much there'],
  [{ account: account.uid, act: 'withdraw', amount: '1', to: '0x' }, 'below the minimum'],
  [{ account: account.uid, act: 'steal' }, 'act must be deposit'],
])('it refuses %j', async (body, error) => {
  const venue = await run();
  expect(await venue.control(body)).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining(error) },
  });
  expect((await venue.control(body, { 'content-type': 'text/plain' })).status).toBe(400);
});

test('a fault of one account leaves the others alone, and is used up', () => {
  const faults = createFaults();
  faults.set({ kind: 'records_late', account: '7', times: 1, ms: 5 });
  expect(faults.meetRecord('records_late', '8')).toBeNull();
  expect(faults.meet({ path: '/', operation: '/', account: { id: '7', accUid: '7' } })).toEqual([]);
  expect(faults.meetRecord('records_late', '7')).toEqual({ ms: 5 });
  expect(faults.list()).toEqual([]);
});
