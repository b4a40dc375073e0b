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

test('verifying tells what the venue tells, and no more', async () => {
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

test('key info knows of a list and not what is on it', async () => {
  await using venue = await startSimulatedVenue('binance');
  const read = (name: string) => venue.gateway.keyInfo(venue.ours(venue.spare(name)), INTERACTIVE);
  expect(await read('may_withdraw')).toMatchObject({ isRestricted: true, ips: null, accountType: null });
  expect(await read('plain')).toMatchObject({ isRestricted: false, ips: [] });
});
