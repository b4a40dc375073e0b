import { equityAt, priceAt } from '@copydesk/simulators/world';
import { expect, test } from 'vitest';
import { startSimulatedVenue } from '../support/exchanges/simulated-venue.ts';
import { testVenue } from '../support/exchanges/venue-cases.ts';

const INTERACTIVE = { priority: 'interactive' } as const;

testVenue({
  exchange: 'kucoin',
  venueId: ({ closeId }) => closeId,
  feesIncluded: true,
  tellsLeverage: true,
  tellsSize: false,
  remembersDays: 10_000,
  // USDT, USDC, and the two coins that contracts settle in.
  requests: { equity: 4, positions: 1 },
  refusals: { wrong_key: 'invalid_credentials', ip_refused: 'ip_not_allowed', clock_skew: 'clock_skew' },
});

test('verification distinguishes keys', async () => {
  await using venue = await startSimulatedVenue('kucoin');
  const verify = (name: string) => venue.gateway.verify(venue.credentialsOf(venue.spare(name)), INTERACTIVE);
  expect(await verify('plain')).toMatchObject({ accountType: 'master', mayWithdraw: false });
  expect(await verify('may_withdraw')).toMatchObject({ accountType: 'subaccount', mayWithdraw: true });
  await expect(verify('ip_restricted_without_us')).rejects.toMatchObject({ code: 'ip_not_allowed' });
  await expect(verify('revoked')).rejects.toMatchObject({ code: 'invalid_credentials' });
});

test('a limit that was hit says when it ends', async () => {
  await using venue = await startSimulatedVenue('kucoin', { rateLimits: 0.002 });
  const [one] = venue.trading;
  if (!one) throw new Error('no account trades');
  const error = await venue.gateway.equity(venue.ours(one), INTERACTIVE).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'rate_limited', venueCode: '429000' });
  expect(error.retryAfterMs).toBeGreaterThan(0);
  expect(error.retryAfterMs).toBeLessThanOrEqual(30_000);
});

test('balances and profits in every settlement coin are converted to USD', async () => {
  await using venue = await startSimulatedVenue('kucoin');
  const account = venue.spare('other_coins');
  const { equityUsd } = await venue.gateway.equity(venue.ours(account), INTERACTIVE);
  const now = Date.now();
  const real = equityAt(account, now) + 2.5 * priceAt('ETH', now) + 0.01 * priceAt('BTC', now);
  expect(Math.abs(Number(equityUsd) - real)).toBeLessThan(real * 0.01);
  const { positions } = await venue.gateway.openPositions(venue.ours(account), INTERACTIVE);
  const inEther = positions.find(({ venueSymbol }) => venueSymbol === 'ETHUSDM');
  expect(inEther).toMatchObject({ symbol: 'ETHUSD', contracts: '1.2', side: 'long' });
  expect(Number(inEther?.unrealizedPnl)).toBeCloseTo(0.05 * Number(inEther?.markPrice), 6);
  const range = { sinceMs: account.epochMs, untilMs: account.epochMs + 2 * 3_600_000 };
  const { items } = await venue.closed(account, range);
  const coins = items.filter(({ symbol }) => symbol.endsWith('USD'));
  expect(coins.sort((a, b) => a.closedAt - b.closedAt)).toMatchObject([
    { symbol: 'ETHUSD', closedPnl: '1500', exitPrice: '3000' },
    // A liquidation without a price: 0.1 bitcoin are not 0.1 dollars.
    { symbol: 'BTCUSD', closedPnl: null, exitPrice: null },
  ]);
});
