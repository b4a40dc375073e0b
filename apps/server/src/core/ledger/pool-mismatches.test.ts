import { randomUUID } from 'node:crypto';
import { poolDepositAdmitted, poolDepositSeen, poolFundsReturned, poolSent } from '@copydesk/domain/ledger';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCommunity } from '../../../../../tests/support/world/communities.ts';
import {
  ALL,
  createLedgerWorld,
  type LedgerWorld,
  source,
} from '../../../../../tests/support/world/ledger-world.ts';
import { addPool } from '../../../../../tests/support/world/pools.ts';
import { insertRow } from '../../../../../tests/support/world/rows.ts';
import { addBareTrader } from '../../../../../tests/support/world/traders.ts';
import { reconcileLedger } from './ledger.jobs.ts';
import { listPoolMismatches } from './pool-mismatches.views.ts';

const FUTURE = new Date(Date.now() + 86_400_000);

let world: LedgerWorld;
beforeAll(async () => {
  world = await createLedgerWorld();
});
afterAll(() => world.close());

const found = (since: Date | null = null) => world.db.read(ALL, (tx) => listPoolMismatches(tx, since));

/** A pool whose only member has 1000 units of capital in the proxy wallet. */
async function addFilledPool(status: 'stopped' | 'harvesting') {
  const communityId = await addCommunity(world.asOwner, []);
  const step = status === 'stopped' ? 'trading' : 'open';
  const poolId = await addPool(world.asOwner, communityId, { status, step });
  const traderId = await addBareTrader(world.asOwner, { community_id: communityId });
  const memberId = await insertRow(world.asOwner, 'pool_member', {
    pooled_account_id: poolId,
    trader_id: traderId,
  });
  await world.post(poolDepositSeen(memberId, 1_000n, source()));
  await world.post(poolDepositAdmitted({ poolId, memberId }, 1_000n, source()));
  return { poolId, memberId };
}

test('reports nothing about pools whose books agree, whether they are open or trade', async () => {
  const { poolId } = await addFilledPool('stopped');
  await addFilledPool('harvesting');
  await world.post(poolSent(poolId, 900n, source()));
  expect(await found()).toEqual([]);
  expect(await found(new Date(0))).toEqual([]);
});

test('finds capital that no money of the pool covers, by the ledger alone', async () => {
  const { poolId, memberId } = await addFilledPool('stopped');
  // The postings are sound, and the deposit of the member belongs to another pool by now.
  const { poolId: other } = await addFilledPool('stopped');
  await world.asOwner('UPDATE pool_member SET pooled_account_id = $2 WHERE id = $1', [memberId, other]);
  const mismatches = [
    { kind: 'pool_capital', id: poolId, expected: '1000', found: '0' },
    { kind: 'pool_capital', id: other, expected: '1000', found: '2000' },
  ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(await found()).toEqual(mismatches);
  expect(await found(new Date(0))).toEqual(mismatches);
  // The nightly run looks at pools whose last posting is old.
  expect(await found(FUTURE)).toEqual([]);
  const logged: { level: number; mismatches?: unknown[] }[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) });
  expect(await reconcileLedger({ db: world.db, log, now: () => new Date() }, 'recent')).toBe(2);
  expect(logged).toMatchObject([{ level: 50, mismatches }]);
  await world.asOwner('UPDATE pool_member SET pooled_account_id = $2 WHERE id = $1', [memberId, poolId]);
  expect(await found()).toEqual([]);
});

test.each([
  ['on the way to the exchange', (poolId: string) => poolSent(poolId, 400n, source())],
  ['returned and not valued', (poolId: string) => poolFundsReturned(poolId, 400n, source())],
])('finds money of an open pool that is %s, however old it is', async (_where, draftOf) => {
  const { poolId } = await addFilledPool('harvesting');
  await world.post(draftOf(poolId));
  const mismatch = { kind: 'pool_open', id: poolId, expected: '0', found: '400' };
  expect(await found()).toEqual([mismatch]);
  expect(await found(FUTURE)).toEqual([mismatch]);
  await world.asOwner(
    `UPDATE harvest_cycle SET status = 'stopped', step = 'trading' WHERE pooled_account_id = $1`,
    [poolId],
  );
  expect(await found()).toEqual([]);
});

test('needs the scope of everything', async () => {
  const scope = { kind: 'providers', providerIds: [randomUUID()] } as const;
  await expect(world.db.read(scope, (tx) => listPoolMismatches(tx, null))).rejects.toThrow('scope');
});
