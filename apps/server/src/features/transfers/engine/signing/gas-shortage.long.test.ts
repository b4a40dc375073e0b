import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../../tests/support/world/engine-world.ts';
import type { OwingCommunity } from '../../../../../../../tests/support/world/owing-world.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: EngineWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  community = await world.orderPayout();
});
afterEach(async () => {
  await world.heal();
  await world.payOut();
});

test('a replacement without coin for its fee is not signed: coin is ordered for it', async () => {
  await world.untilConsolidated(community);
  await world.chain.node.setAutomine(false);
  await world.turn();
  const [spent] = await world.owner<{ wei: string }>(
    `SELECT sum(max_fee_wei * gas_limit)::text AS wei FROM transfer_attempt t JOIN transfer i ON i.id = t.transfer_id
     WHERE i.community_id = $1 AND i.kind = 'distribute'`,
    [community.id],
  );
  await world.chain.giveCoin(community.wallet, BigInt(spent?.wei ?? 0));
  for (let n = 0; n < 5; n++) await world.turn({ stuckMs: 0 });
  // The server has forgotten what it was sent.
  const sent = await world.owner<{ hash: `0x${string}` }>(
    'SELECT hash FROM transfer_attempt WHERE block_number IS NULL',
  );
  for (const { hash } of sent) await world.chain.node.dropTransaction({ hash }).catch(() => undefined);
  await world.chain.node.setAutomine(true);
  await world.payOut(world.engineWith({ resendMs: 0 }));
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a gas wallet without coin is reported as empty, whatever error a server gives', async () => {
  await world.chain.giveCoin(world.gasWallet, 0n);
  world.rpc.behave(async ({ method, params }, forward) =>
    method === 'eth_estimateGas' && BigInt((params[0] as { value?: string }).value ?? 0) > 0n
      ? { error: { code: -32000, message: 'insufficient funds for transfer' } }
      : forward(),
  );
  for (let n = 0; n < 2; n++) {
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await world.turn({ chain: world.throughFaults() });
  }
  world.rpc.heal();
  const problems = await world.owner(
    `SELECT DISTINCT problem FROM transfer WHERE kind = 'gas_topup' AND state = 'planned'`,
  );
  await world.chain.giveCoin(world.gasWallet, 10n ** 20n);
  expect(problems).toEqual([{ problem: 'gas_wallet_empty' }]);
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a top-up larger than the gas wallet takes its balance, and leaves enough for the others', async () => {
  await world.payOut();
  const place = await world.addCommunity();
  await world.addPaid(place, 50);
  await world.distribute(place.id);
  const { maxFee } = await world.engineWith().chain.currentFee();
  const [planned] = await world.owner<{ n: number }>(
    `SELECT count(*)::int AS n FROM transfer WHERE community_id = $1 AND kind = 'distribute'`,
    [place.id],
  );
  // Enough for every transfer, and less than twice as much.
  await world.chain.giveCoin(world.gasWallet, BigInt(planned?.n ?? 0) * 130_000n * maxFee);
  await world.payOut();
  expect(new Set((await world.payoutsOf(place.id)).map(({ status }) => status))).toEqual(
    new Set(['distributed']),
  );
  await world.chain.giveCoin(world.gasWallet, 10n ** 20n);
});

test('without coin for gas no transfer takes a nonce; with coin again they go on', async () => {
  await world.chain.giveCoin(world.gasWallet, 0n);
  for (let round = 0; round < 3; round++) {
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await world.turn();
  }
  expect(await world.attemptsOf(community)).toEqual([]);
  await world.chain.giveCoin(world.gasWallet, 10n ** 20n);
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});
