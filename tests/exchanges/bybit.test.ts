import { EXCHANGE_PROBLEMS } from '@copydesk/domain/trading';
import { expect, test } from 'vitest';
import { startSimulatedVenue } from '../support/exchanges/simulated-venue.ts';
import { testVenue } from '../support/exchanges/venue-cases.ts';

const INTERACTIVE = { priority: 'interactive' } as const;

testVenue({
  exchange: 'bybit',
  venueId: ({ closeId, closedAt }) => `${closeId}:${closedAt}`,
  feesIncluded: true,
  tellsLeverage: true,
  tellsSize: true,
  remembersDays: 730,
  requests: { equity: 1, positions: 3 },
  refusals: { wrong_key: 'invalid_credentials', ip_refused: 'ip_not_allowed', clock_skew: 'clock_skew' },
});

test('verification distinguishes keys', async () => {
  await using venue = await startSimulatedVenue('bybit');
  const verify = (name: string) => venue.gateway.verify(venue.credentialsOf(venue.spare(name)), INTERACTIVE);
  expect(await verify('plain')).toMatchObject({
    accUid: venue.spare('plain').accUid,
    accountType: 'master',
    mayWithdraw: false,
    keyExpiresAt: expect.any(Number),
  });
  expect(await verify('may_withdraw')).toMatchObject({
    accountType: 'subaccount',
    mayWithdraw: true,
    keyExpiresAt: null,
  });
  await expect(verify('ip_restricted_without_us')).rejects.toMatchObject({
    code: 'ip_not_allowed',
    venueCode: '10010',
  });
  await expect(verify('revoked')).rejects.toMatchObject({ code: 'invalid_credentials', venueCode: '10003' });
  const wrongSecret = { ...venue.credentialsOf(venue.spare('plain')), secretKey: 'wrong' };
  await expect(venue.gateway.verify(wrongSecret, INTERACTIVE)).rejects.toMatchObject({ venueCode: '10004' });
});

test('a classic account is a lasting error with a remedy', async () => {
  await using venue = await startSimulatedVenue('bybit');
  const classic = venue.ours(venue.spare('classic'));
  const refusal = { code: 'classic_account', isRetryable: false };
  await expect(venue.gateway.verify(classic.credentials, INTERACTIVE)).rejects.toMatchObject(refusal);
  await expect(venue.gateway.equity(classic, INTERACTIVE)).rejects.toMatchObject(refusal);
  await expect(venue.gateway.openPositions(classic, INTERACTIVE)).rejects.toMatchObject(refusal);
  expect(EXCHANGE_PROBLEMS.classic_account).toContain('Unified Trading Account');
  // Without a word of the key the refusal of the wallet says it.
  venue.faults.set({ kind: 'malformed', path: '/v5/user/query-api', body: 'html' });
  await expect(venue.gateway.equity(classic, { ...INTERACTIVE, maxAgeMs: 0 })).rejects.toMatchObject(refusal);
});

test('key info lists the addresses', async () => {
  await using venue = await startSimulatedVenue('bybit');
  const read = (name: string) => venue.gateway.keyInfo(venue.ours(venue.spare(name)), INTERACTIVE);
  expect(await read('may_withdraw')).toMatchObject({
    isSupported: true,
    isRestricted: true,
    ips: ['203.0.113.7', '127.0.0.1', '198.51.100.20'],
    accountType: 'subaccount',
  });
  expect(await read('plain')).toMatchObject({ isRestricted: false, ips: [] });
});

test('too many requests of our address stop every account for ten minutes', async () => {
  await using venue = await startSimulatedVenue('bybit', { rateLimits: 0.02 });
  const reads = venue.trading.slice(0, 20).map((one) => venue.gateway.equity(venue.ours(one), INTERACTIVE));
  const refused = (await Promise.allSettled(reads)).filter((one) => one.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused) expect(reason.code).toBe('rate_limited');
  venue.requests.reset();
  const later = venue.gateway.equity(venue.ours(venue.spare('plain')), INTERACTIVE);
  await expect(later).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: expect.any(Number) });
  expect(venue.requests.count()).toBe(0);
});
