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
  requests: { equity: 3, positions: 1 },
  refusals: { wrong_key: 'invalid_credentials', ip_refused: 'ip_not_allowed', clock_skew: 'clock_skew' },
});

test('verifying tells keys apart', async () => {
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
  if (!one) throw new Error('nobody trades');
  const error = await venue.gateway.equity(venue.ours(one), INTERACTIVE).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'rate_limited', venueCode: '429000' });
  expect(error.retryAfterMs).toBeGreaterThan(0);
  expect(error.retryAfterMs).toBeLessThanOrEqual(30_000);
});
