import { randomUUID } from 'node:crypto';
import { gasFunded, gasSpent } from '@copydesk/domain/ledger';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ACTOR, ALL } from '../../../../../../tests/support/world/ledger-world.ts';
import type { OwingCommunity as Community } from '../../../../../../tests/support/world/owing-world.ts';
import { createPayingWorld, type PayingWorld } from '../../../../../../tests/support/world/paying-world.ts';
import { findUnpaid } from '../../../../../../tests/support/world/sound-payouts.ts';
import { postJournals } from '../../../core/ledger/ledger.service.ts';
import { takeTransferTurn } from './transfer-turn.ts';

// Patience, not a measure: payouts wait for blocks.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: PayingWorld;
let communities: [Community, Community];
beforeAll(async () => {
  world = await createPayingWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  communities = [await owingCommunity(), await owingCommunity()];
});

/** A community whose wallet holds what it owes: only the payments to recipients are left. */
async function owingCommunity(): Promise<Community> {
  const community = await world.addCommunity();
  await world.addPaid(community, 50);
  await world.chain.giveCoin(community.wallet, 10n ** 18n);
  await world.distribute(community.id);
  const blocked = world.engineWith({ limits: { perTransaction: 1n, perDay: null } });
  for (let round = 0; round < 20; round += 1) {
    await takeTransferTurn(blocked);
    await world.chain.finalize();
    await world.owner('UPDATE transfer SET retry_at = NULL');
    const statuses = (await world.payoutsOf(community.id)).map(({ status }) => status);
    if (statuses.every((status) => status === 'consolidated')) return community;
  }
  throw new Error('the deposits were not consolidated');
}
const unitsOf = async (community: Community) =>
  (await world.payoutsOf(community.id)).reduce((sum, { units }) => sum + BigInt(units), 0n);
const signedOf = async ({ id }: Community) =>
  (
    await world.owner<{ count: number }>(
      `SELECT count(*)::int AS count FROM transfer WHERE community_id = $1 AND kind = 'distribute' AND state = 'sent'`,
      [id],
    )
  )[0]?.count ?? 0;
const payAll = async () => {
  await world.payOut();
  for (const { id } of communities) expect(await findUnpaid(world, world.chain.token, id)).toEqual([]);
};

test('a community that cannot sign holds up no other, limit of a day or not', async () => {
  const [first, second] = communities;
  const holder = new pg.Client({ connectionString: world.ownerUrl });
  await holder.connect();
  await holder.query("BEGIN; SELECT set_config('copydesk.scope', 'all', true)");
  await holder.query('SELECT FROM payout WHERE community_id = $1 FOR UPDATE', [first.id]);
  const engine = world.engineWith({ limits: { perTransaction: null, perDay: 10n ** 30n } });
  const turn = takeTransferTurn(engine);
  await vi.waitFor(async () => expect(await signedOf(second)).toBeGreaterThan(0), { timeout: 25_000 });
  expect(await signedOf(first)).toBe(0);
  await holder.query('ROLLBACK');
  await holder.end();
  await turn;
  await payAll();
});

test('the limit of a day holds for all communities together, and for workers at once', async () => {
  const units = await Promise.all(communities.map(unitsOf));
  const [row] = await world.owner<{ sent: string }>(
    `SELECT coalesce(sum(amount_units), 0)::text AS sent FROM transfer WHERE kind = 'distribute' AND sent_at IS NOT NULL`,
  );
  // Enough for either community, and not for both.
  const perDay = BigInt(row?.sent ?? 0) + (units[0] ?? 0n) + 1n;
  const worker = () => takeTransferTurn(world.engineWith({ limits: { perTransaction: null, perDay } }));
  await Promise.all([worker(), worker(), worker()]);
  const [sum] = await world.owner<{ sent: string }>(
    `SELECT sum(amount_units)::text AS sent FROM transfer WHERE kind = 'distribute' AND sent_at IS NOT NULL`,
  );
  expect(BigInt(sum?.sent ?? 0)).toBeLessThanOrEqual(perDay);
  expect(BigInt(sum?.sent ?? 0)).toBeGreaterThan(BigInt(row?.sent ?? 0));
  const waiting = await world.owner(
    `SELECT DISTINCT problem FROM transfer WHERE kind = 'distribute' AND state = 'planned'`,
  );
  expect(waiting).toEqual([{ problem: 'over_day_limit' }]);
  await payAll();
});

test('a worker that was stopped after its claim signs nothing an hour later', async () => {
  let hours = 0;
  const late = world.engineWith({
    limits: { perTransaction: null, perDay: 10n ** 30n },
    now: () => new Date(Date.now() + hours * 3_600_000),
    atStep: (step) => {
      // Each wallet's claim is two hours old when it would sign, whichever comes first.
      if (step === 'claimed') hours += 2;
    },
  });
  await takeTransferTurn(late);
  expect(await Promise.all(communities.map(signedOf))).toEqual([0, 0]);
  await payAll();
});

test('a claim that was never signed counts, until its transfer is void', async () => {
  const [first, second] = communities;
  await world.owner(
    `UPDATE transfer SET limit_claimed_at = now() WHERE community_id = $1 AND kind = 'distribute'`,
    [first.id],
  );
  const [row] = await world.owner<{ sent: string }>(
    `SELECT coalesce(sum(amount_units), 0)::text AS sent FROM transfer WHERE kind = 'distribute' AND sent_at IS NOT NULL`,
  );
  const perDay = BigInt(row?.sent ?? 0) + (await unitsOf(first)) + 1n;
  await world.owner('UPDATE chain_wallet SET frozen_because = $2, frozen_at = now() WHERE owner_id = $1', [
    first.id,
    'chain_ahead',
  ]);
  const engine = world.engineWith({ limits: { perTransaction: null, perDay } });
  await takeTransferTurn(engine);
  expect(await signedOf(second)).toBe(0);
  await world.owner(
    `UPDATE transfer SET limit_claimed_at = NULL WHERE community_id = $1; UPDATE transfer SET retry_at = NULL`.replace(
      '$1',
      `'${first.id}'`,
    ),
  );
  await takeTransferTurn(engine);
  expect(await signedOf(second)).toBeGreaterThan(0);
  await world.owner('UPDATE chain_wallet SET frozen_because = NULL, frozen_at = NULL WHERE owner_id = $1', [
    first.id,
  ]);
  await payAll();
});

test('gas of one community is booked while that of another is not committed', async () => {
  const book = (communityId: string) => {
    const source = { type: 'transfer_attempt', id: randomUUID() };
    return [gasFunded(7n, source, communityId), gasSpent(7n, source, communityId)].map((draft) => ({
      draft,
    }));
  };
  const [first, second] = communities;
  await world.db.write(ALL, ACTOR, async (tx) => {
    await postJournals(tx, book(first.id));
    await world.db.write(ALL, ACTOR, (other) => postJournals(other, book(second.id)));
  });
  const rows = await world.owner(
    `SELECT a.kind, b.posted::text AS posted FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
     WHERE a.owner_id = $1 AND a.asset = 'BNB' ORDER BY kind`,
    [second.id],
  );
  expect(rows).toContainEqual({ kind: 'gas_wallet', posted: '0' });
  await payAll();
});
