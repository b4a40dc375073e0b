import { equityAt, priceAt } from '@copydesk/simulators/world';
import { expect, test } from 'vitest';
import { startSimulatedVenue } from '../support/exchanges/simulated-venue.ts';
import { testVenue } from '../support/exchanges/venue-cases.ts';

const INTERACTIVE = { priority: 'interactive' } as const;

testVenue({
  exchange: 'binance',
  venueId: ({ symbol, closeId, closedAt }) => `${symbol}:${Number(closeId)}:${closedAt}`,
  feesIncluded: false,
  tellsLeverage: false,
  tellsSize: true,
  remembersDays: 90,
  requests: { equity: 1, positions: 2 },
  refusals: { wrong_key: 'credentials_or_ip', ip_refused: 'credentials_or_ip', clock_skew: 'clock_skew' },
});

test("verification returns the venue's answer, and no more", async () => {
  await using venue = await startSimulatedVenue('binance');
  const verify = (name: string) => venue.gateway.verify(venue.credentialsOf(venue.spare(name)), INTERACTIVE);
  expect(await verify('plain')).toMatchObject({
    accUid: venue.spare('plain').accUid,
    accountType: null,
    mayWithdraw: false,
  });
  expect(await verify('may_withdraw')).toMatchObject({ accountType: null, mayWithdraw: true });
  for (const name of ['ip_restricted_without_us', 'revoked'])
    await expect(verify(name)).rejects.toMatchObject({ code: 'credentials_or_ip', venueCode: '-2015' });
});

test('key info has the state of the whitelist and not its entries', async () => {
  await using venue = await startSimulatedVenue('binance');
  const read = (name: string) => venue.gateway.keyInfo(venue.ours(venue.spare(name)), INTERACTIVE);
  expect(await read('may_withdraw')).toMatchObject({ isRestricted: true, ips: null, accountType: null });
  expect(await read('plain')).toMatchObject({ isRestricted: false, ips: [] });
});

test.each([
  ['single_asset', { account: 1, accountConfig: 0, premiumIndex: 1 }],
  ['multi_assets', { account: 1, accountConfig: 1, premiumIndex: 0 }],
])('an account with USDC and bitcoin besides USDT counts all of it: %s', async (name, asked) => {
  await using venue = await startSimulatedVenue('binance');
  const account = venue.spare(name);
  const { equityUsd } = await venue.gateway.equity(venue.ours(account), INTERACTIVE);
  const real = equityAt(account, Date.now()) + 1_500.5 + 0.02 * priceAt('BTC', Date.now());
  expect(Math.abs(Number(equityUsd) - real)).toBeLessThan(5);
  const count = (path: string) => venue.requests.count(path);
  expect({
    account: count('/fapi/v3/account'),
    accountConfig: count('/fapi/v1/accountConfig'),
    premiumIndex: count('/fapi/v1/premiumIndex'),
  }).toEqual(asked);
});

test('profit in bitcoin is not shown as dollars, open or closed', async () => {
  await using venue = await startSimulatedVenue('binance');
  const account = venue.spare('single_asset');
  const { positions } = await venue.gateway.openPositions(venue.ours(account), INTERACTIVE);
  const cross = positions.filter(({ symbol }) => symbol === 'ETHBTC');
  expect(cross).toMatchObject([{ contracts: '2', markPrice: '0.05000000', unrealizedPnl: null }]);
  const range = { sinceMs: account.epochMs, untilMs: account.epochMs + 2 * 3_600_000 };
  const { items } = await venue.closed(account, range);
  expect(items.filter(({ symbol }) => symbol === 'ETHBTC')).toMatchObject([
    { exitPrice: '0.049', entryPrice: '0.048', contracts: '1', closedPnl: null },
  ]);
  for (const { symbol, closedPnl } of items) if (symbol !== 'ETHBTC') expect(closedPnl).not.toBeNull();
});
