import { expect, test } from 'vitest';
import { AGENT, AGENT_KEY } from '../support/exchanges/loopback-venue.ts';
import { startSimulatedVenue } from '../support/exchanges/simulated-venue.ts';
import { testVenue } from '../support/exchanges/venue-cases.ts';

const INTERACTIVE = { priority: 'interactive' } as const;

testVenue({
  exchange: 'hyperliquid',
  venueId: ({ closeId }) => String(Number(closeId)),
  feesIncluded: false,
  tellsLeverage: false,
  tellsSize: true,
  remembersDays: 10_000,
  requests: { equity: 1, positions: 1 },
  // Nothing is signed there and nothing has a list of addresses: it says that it cannot read us.
  refusals: { wrong_key: 'invalid_credentials', ip_refused: 'bad_response', clock_skew: 'bad_response' },
});

test('verifying checks key, agent and account', async () => {
  await using venue = await startSimulatedVenue('hyperliquid');
  const credentialsOf = (name: string) => {
    const credentials = venue.credentialsOf(venue.spare(name));
    if (credentials.exchange !== 'hyperliquid') throw new Error('not hyperliquid');
    return credentials;
  };
  const verify = (credentials: ReturnType<typeof credentialsOf>) =>
    venue.gateway.verify(credentials, INTERACTIVE);
  const plain = credentialsOf('plain');
  const accUid = plain.masterAddress.toLowerCase();
  expect(await verify(plain)).toMatchObject({ accUid, accountType: 'master', mayWithdraw: null });
  const shouting = { ...plain, masterAddress: `0x${plain.masterAddress.slice(2).toUpperCase()}` };
  expect(await verify(shouting)).toMatchObject({ accUid });
  expect(await verify(credentialsOf('subaccount'))).toMatchObject({ accountType: 'subaccount' });
  expect(await verify(credentialsOf('unnamed_agent'))).toMatchObject({ accountType: 'master' });

  const wrong = {
    'a removed agent': credentialsOf('revoked'),
    'the key of another agent': { ...plain, agentPrivateKey: AGENT_KEY as `0x${string}` },
    'an agent of nobody': { ...plain, agentAddress: AGENT, agentPrivateKey: AGENT_KEY as `0x${string}` },
    'the agent pasted as the account': { ...plain, masterAddress: plain.agentAddress },
    'an address that nobody has': { ...plain, masterAddress: `0x${'12'.repeat(20)}` },
    'no address': { ...plain, masterAddress: 'me' },
  };
  for (const [what, credentials] of Object.entries(wrong))
    await expect(verify(credentials), what).rejects.toMatchObject({ code: 'invalid_credentials' });
});

test('there are no keys to ask about, and what the address is is asked once a day', async () => {
  await using venue = await startSimulatedVenue('hyperliquid');
  const account = venue.ours(venue.spare('subaccount'));
  for (let n = 0; n < 3; n++) {
    const info = await venue.gateway.keyInfo(account, { ...INTERACTIVE, maxAgeMs: 0 });
    expect(info).toMatchObject({
      isSupported: false,
      isRestricted: null,
      ips: null,
      accountType: 'subaccount',
    });
  }
  expect(venue.requests.count('userRole')).toBe(1);
});

test('nothing but /info is ever asked', async () => {
  await using venue = await startSimulatedVenue('hyperliquid');
  const account = venue.ours(venue.spare('plain'));
  await venue.gateway.verify(account.credentials, INTERACTIVE);
  await venue.gateway.equity(account, INTERACTIVE);
  await venue.gateway.openPositions(account, INTERACTIVE);
  const asked = new Set(venue.requests.list().map(({ method, path }) => `${method} ${path}`));
  expect([...asked]).toEqual(['POST /info']);
});

test('equity and positions of one read are one request', async () => {
  await using venue = await startSimulatedVenue('hyperliquid');
  const account = venue.ours(venue.spare('plain'));
  const options = { priority: 'background', maxAgeMs: 0 } as const;
  const [equity, open] = await Promise.all([
    venue.gateway.equity(account, options),
    venue.gateway.openPositions(account, options),
  ]);
  expect(Number(equity.equityUsd)).toBeGreaterThan(0);
  expect(open.positions.length).toBeGreaterThanOrEqual(0);
  expect(venue.requests.count('clearinghouseState')).toBe(1);
});
