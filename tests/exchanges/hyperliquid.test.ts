import { equityAt, openPositionsAt } from '@copydesk/simulators/world';
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
  // The venue's own dex, two of HIP-3, and the spot state that tells a unified account.
  requests: { equity: 4, positions: 3 },
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
    'an agent without an account': {
      ...plain,
      agentAddress: AGENT,
      agentPrivateKey: AGENT_KEY as `0x${string}`,
    },
    'the agent pasted as the account': { ...plain, masterAddress: plain.agentAddress },
    'an address without an account': { ...plain, masterAddress: `0x${'12'.repeat(20)}` },
    'no address': { ...plain, masterAddress: 'me' },
  };
  for (const [what, credentials] of Object.entries(wrong))
    await expect(verify(credentials), what).rejects.toMatchObject({ code: 'invalid_credentials' });
});

test('there are no keys to read, and the kind of address is read once a day', async () => {
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

test('only /info is ever called', async () => {
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
  expect(venue.requests.count('clearinghouseState')).toBe(3);
  expect(venue.requests.count('perpDexs')).toBe(1);
  expect(venue.requests.count('userAbstraction')).toBe(0);
});

test('the equity of a unified account is its dollars in spot, and its positions are found as before', async () => {
  await using venue = await startSimulatedVenue('hyperliquid');
  const unified = venue.spare('unified');
  const { equityUsd } = await venue.gateway.equity(venue.ours(unified), INTERACTIVE);
  const real = equityAt(unified, Date.now());
  // Neither HYPE nor a bet on an outcome is collateral.
  expect(Math.abs(Number(equityUsd) - real)).toBeLessThan(real * 0.01);
  const { positions } = await venue.gateway.openPositions(venue.ours(unified), INTERACTIVE);
  expect(positions.length).toBe(openPositionsAt(unified, Date.now()).length);
});

test('positions on other dexes are found, valued and closed in the collateral of their dex', async () => {
  await using venue = await startSimulatedVenue('hyperliquid');
  const account = venue.spare('other_dex');
  const own = openPositionsAt(account, Date.now());
  const { positions } = await venue.gateway.openPositions(venue.ours(account), INTERACTIVE);
  expect(positions).toHaveLength(own.length + 2);
  expect(positions).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        symbol: 'TSLAUSDC',
        venueSymbol: 'xyz:TSLA',
        side: 'long',
        contracts: '5',
        markPrice: '260',
        unrealizedPnl: '50.0',
      }),
      expect.objectContaining({ symbol: 'GOLDUSDH', venueSymbol: 'flx:GOLD', unrealizedPnl: '-20.0' }),
    ]),
  );
  const { equityUsd } = await venue.gateway.equity(venue.ours(account), INTERACTIVE);
  expect(Math.abs(Number(equityUsd) - equityAt(account, Date.now()) - 1_050 - 480)).toBeLessThan(
    Number(equityUsd) * 0.01,
  );
  const { items } = await venue.closed(account, {
    sinceMs: account.epochMs,
    untilMs: account.epochMs + 2 * 3_600_000,
  });
  expect(items.filter(({ symbol }) => /TSLA|GOLD/.test(symbol))).toMatchObject([
    { symbol: 'TSLAUSDC', closedPnl: '10.0' },
    { symbol: 'GOLDUSDH', closedPnl: '-10.0' },
  ]);
});
