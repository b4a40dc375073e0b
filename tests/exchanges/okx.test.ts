import { expect, test } from 'vitest';
import { startSimulatedVenue } from '../support/exchanges/simulated-venue.ts';
import { testVenue } from '../support/exchanges/venue-cases.ts';

const INTERACTIVE = { priority: 'interactive' } as const;

testVenue({
  exchange: 'okx',
  venueId: ({ openId, closedAt }) => `${openId}:${closedAt}`,
  feesIncluded: true,
  tellsLeverage: true,
  tellsSize: true,
  remembersDays: 90,
  requests: { equity: 1, positions: 1 },
  refusals: { wrong_key: 'invalid_credentials', ip_refused: 'ip_not_allowed', clock_skew: 'clock_skew' },
});

test('verification distinguishes keys', async () => {
  await using venue = await startSimulatedVenue('okx');
  const verify = (name: string) => venue.gateway.verify(venue.credentialsOf(venue.spare(name)), INTERACTIVE);
  expect(await verify('plain')).toMatchObject({ accountType: 'master', mayWithdraw: false });
  expect(await verify('may_withdraw')).toMatchObject({ accountType: 'subaccount', mayWithdraw: true });
  await expect(verify('ip_restricted_without_us')).rejects.toMatchObject({ code: 'ip_not_allowed' });
  await expect(verify('revoked')).rejects.toMatchObject({ code: 'invalid_credentials' });
  const credentials = venue.credentialsOf(venue.spare('plain'));
  const wrong = { ...credentials, passphrase: 'wrong' } as typeof credentials;
  await expect(venue.gateway.verify(wrong, INTERACTIVE)).rejects.toMatchObject({ venueCode: '50105' });
});

test('key info lists the addresses', async () => {
  await using venue = await startSimulatedVenue('okx');
  const read = (name: string) => venue.gateway.keyInfo(venue.ours(venue.spare(name)), INTERACTIVE);
  expect(await read('may_withdraw')).toMatchObject({
    isRestricted: true,
    ips: ['203.0.113.7', '127.0.0.1', '198.51.100.20'],
    accountType: 'subaccount',
  });
  expect(await read('plain')).toMatchObject({ isRestricted: false, ips: [], accountType: 'master' });
});

test('contracts are read once for all accounts, without a key', async () => {
  await using venue = await startSimulatedVenue('okx');
  await Promise.all(
    venue.trading.slice(0, 10).map((one) => venue.gateway.openPositions(venue.ours(one), INTERACTIVE)),
  );
  expect(venue.requests.count('/api/v5/public/instruments')).toBe(2);
  const asked = venue.requests.list().filter(({ path }) => path.includes('public'));
  expect(asked.map(({ account }) => account)).toEqual([null, null]);
});

test('expired contracts follow their id and currency; one before its opening disturbs no other', async () => {
  await using venue = await startSimulatedVenue('okx');
  const account = venue.spare('expired_inverse');
  await venue.gateway.openPositions(venue.ours(account), INTERACTIVE);
  const range = { sinceMs: account.epochMs, untilMs: account.epochMs + 2 * 3_600_000 };
  const { items } = await venue.closed(account, range);
  const expired = items.filter(({ venueId }) => venueId.startsWith('77000000000000000'));
  expect(expired.sort((a, b) => a.closedAt - b.closedAt)).toMatchObject([
    { symbol: 'BTCUSD', exitPrice: '60000', closedPnl: '6000', contracts: null },
    { symbol: 'ETHUSD', exitPrice: '3100', closedPnl: '500', contracts: null },
  ]);
});

test('at nine tenths of the documented limits nothing is ever refused', async () => {
  await using venue = await startSimulatedVenue('okx', { rateLimits: 'documented' }, { budgetShare: 0.9 });
  const [one] = venue.trading;
  if (!one) throw new Error('no account trades');
  for (let n = 0; n < 12; n++)
    await venue.gateway.equity(venue.ours(one), { priority: 'background', maxAgeMs: 0 });
  expect(venue.requests.list().map(({ status }) => status)).toEqual(Array(12).fill(200));
}, 20_000);
