import { expect, test } from 'vitest';
import { closedPositionsBetween, equityAt, openPositionsAt } from '../../world/index.ts';
import { accounts, ask, busiest, runVenue, spare } from '../testing/running-venue.ts';

function info({ url }: { url: string }, question: object | string) {
  return ask(`${url}/info`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof question === 'string' ? question : JSON.stringify(question),
  });
}

const addresses = (name: string) => {
  const account = spare('hyperliquid', name);
  const credentials = accounts.credentialsOf(account);
  if (credentials.exchange !== 'hyperliquid') throw new Error('not of hyperliquid');
  return { account, master: credentials.masterAddress, agent: credentials.agentAddress };
};

test('an address returns its holdings; an unknown one holds nothing', async () => {
  const venue = await runVenue('hyperliquid');
  const account = busiest('hyperliquid');
  const now = venue.clock.now();
  const { body } = await info(venue, { type: 'clearinghouseState', user: account.masterAddress });
  expect(Number(body.marginSummary.accountValue)).toBeCloseTo(equityAt(account, now), 5);
  const open = openPositionsAt(account, now);
  expect(body.assetPositions).toHaveLength(open.length);
  for (const { position } of body.assetPositions) {
    const twin = open.find(({ instrument }) => instrument.base === position.coin);
    expect(Math.abs(position.positionValue / position.szi)).toBeCloseTo(Number(twin?.markPrice), 4);
  }
  const unknown = await info(venue, { type: 'clearinghouseState', user: `0x${'1'.repeat(40)}` });
  expect([unknown.status, unknown.body.marginSummary.accountValue]).toEqual([200, '0.0']);
});

test('roles and agents say whether an agent may act for an address', async () => {
  const venue = await runVenue('hyperliquid');
  const role = async (user: string) => (await info(venue, { type: 'userRole', user })).body;
  const agents = async (user: string) =>
    (await info(venue, { type: 'extraAgents', user })).body.map((one: { address: string }) => one.address);
  const plain = addresses('plain');
  expect(await role(plain.master)).toEqual({ role: 'user' });
  expect(await role(plain.agent)).toEqual({ role: 'agent', data: { user: plain.master } });
  expect(await agents(plain.master)).toEqual([plain.agent.toLowerCase()]);
  const unnamed = addresses('unnamed_agent');
  expect(await agents(unnamed.master)).toEqual([]);
  expect(await role(unnamed.agent)).toEqual({ role: 'agent', data: { user: unnamed.master } });
  const revoked = addresses('revoked');
  expect(await agents(revoked.master)).toEqual([]);
  expect(await role(revoked.agent)).toEqual({ role: 'missing' });
  const sub = addresses('subaccount');
  const { data } = await role(sub.master);
  expect(await role(data.master)).toEqual({ role: 'user' });
  expect(await agents(data.master)).toEqual([sub.agent.toLowerCase()]);
  expect(await agents(sub.master)).toEqual([]);
});

test('fills list the closed positions by their tid', async () => {
  const venue = await runVenue('hyperliquid');
  const account = busiest('hyperliquid');
  const user = account.masterAddress;
  const fills = (await info(venue, { type: 'userFillsByTime', user, startTime: 0, aggregateByTime: true }))
    .body;
  const closing = fills.filter(({ dir }: { dir: string }) => dir.startsWith('Close'));
  const wanted = closedPositionsBetween(account, 0, venue.clock.now());
  expect(wanted.length).toBeGreaterThan(3);
  expect(closing.map(({ tid }: { tid: number }) => String(tid)).sort()).toEqual(
    wanted.map(({ venueId }) => venueId).sort(),
  );
  const latest = (await info(venue, { type: 'userFills', user })).body;
  expect(latest[0].time).toBe(fills.at(-1).time);
  const middle = fills[Math.floor(fills.length / 2)].time;
  const part = await info(venue, { type: 'userFillsByTime', user, startTime: middle, endTime: middle });
  expect(part.body.every(({ time }: { time: number }) => time === middle)).toBe(true);
});

test('unreadable requests are refused, and nothing is ever written', async () => {
  const venue = await runVenue('hyperliquid');
  for (const question of [
    '{',
    {},
    { type: 'nothing' },
    { type: 'userRole', user: '0x1' },
    { type: 'userFillsByTime', user: `0x${'1'.repeat(40)}` },
  ])
    expect((await info(venue, question)).status).toBe(422);
  expect((await ask(`${venue.url}/exchange`, { method: 'POST', body: '{}' })).status).toBe(404);
  expect((await info(venue, { type: 'userAbstraction', user: addresses('plain').master })).body).toBe(
    'default',
  );
});

test('an address has 1200 weight a minute, of which a role costs 60', async () => {
  const venue = await runVenue('hyperliquid', { rateLimits: 'documented' });
  const user = addresses('plain').master;
  const statuses = [];
  for (let n = 0; n < 21; n++) statuses.push((await info(venue, { type: 'userRole', user })).status);
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
  venue.clock.advance(60_000);
  expect((await info(venue, { type: 'userRole', user })).status).toBe(200);
});
