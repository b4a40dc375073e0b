import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../tests/support/world/engine-world.ts';
import type { OwingCommunity } from '../../../../../../tests/support/world/owing-world.ts';

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
});

const unfreeze = (wallet: { id: string } | undefined) =>
  world.call('POST', `/api/super-admin/wallets/${wallet?.id}/unfreeze`, { reason: 'Looked at' });

test('a consolidation whose nonce a foreign transaction spent can be ordered again', async () => {
  const [deposit] = await world.owner<{ id: string; address: `0x${string}` }>(
    `SELECT w.id, w.address FROM chain_wallet w JOIN transfer i ON i.wallet_id = w.id
     WHERE i.community_id = $1 AND i.kind = 'consolidate'`,
    [community.id],
  );
  await world.chain.giveCoin(deposit?.address as string, 10n ** 18n);
  await world.chain.node.setAutomine(false);
  await world.turn();
  const [tx] = await world.owner<{ hash: `0x${string}` }>(
    'SELECT hash FROM transfer_attempt WHERE wallet_id = $1',
    [deposit?.id],
  );
  await world.chain.node.dropTransaction({ hash: tx?.hash as `0x${string}` });
  await world.chain.node.setAutomine(true);
  await world.chain.node.setNonce({ address: deposit?.address as `0x${string}`, nonce: 1 });
  await world.chain.finalize();
  await world.turn({ doubtMs: 0, resendMs: 1e9 });
  await world.call('POST', `/api/super-admin/wallets/${deposit?.id}/unfreeze`, { reason: 'Looked at' });
  const payouts = await world.payoutsOf(community.id);
  expect(payouts.map(({ status, problem }) => [status, problem])).toEqual(
    payouts.map(() => ['failed', 'foreign_transaction']),
  );
  const retried = await world.call('POST', `/api/sweep-operations/${payouts[0]?.id}/retry`);
  expect(retried).toMatchObject({
    status: 200,
    body: { data: { retried_with: { length: payouts.length - 1 } } },
  });
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a transaction that moved nothing despite its success is concluded once a person has reviewed it', async () => {
  await world.untilConsolidated(community);
  const { address } = world.chain.token;
  const code = (await world.chain.node.getCode({ address })) as `0x${string}`;
  // Answers yes to whatever it is asked, and does nothing.
  await world.chain.node.setCode({ address, bytecode: '0x600160005260206000f3' });
  await world.turn();
  await world.chain.finalize();
  await world.chain.node.setCode({ address, bytecode: code });
  const payouts = await world.payoutsOf(community.id);
  await world.turn();
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: 'receipt_differs' });
  expect((await unfreeze(await world.walletOf(community))).status).toBe(200);
  expect((await world.payoutsOf(community.id)).map(({ status, problem }) => [status, problem])).toEqual(
    payouts.map(() => ['failed', 'nothing_moved']),
  );
  for (const { id } of payouts)
    expect((await world.call('POST', `/api/sweep-operations/${id}/retry`)).status).toBe(200);
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a transaction whose receipt cannot be read is not concluded by unfreezing', async () => {
  await world.untilConsolidated(community);
  await world.turn();
  await world.chain.finalize();
  world.rpc.behave(async ({ method }, forward) => {
    const answer = await forward();
    if (method !== 'eth_getTransactionReceipt' || !('result' in answer) || !answer.result) return answer;
    return { result: { ...(answer.result as object), logs: [] } };
  });
  await world.turn({ chain: world.throughFaults() });
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: 'receipt_differs' });
  // The worker can no longer read the receipt: unfreezing does not confirm that nothing moved.
  world.rpc.behave(async ({ method }, forward) =>
    method === 'eth_getTransactionReceipt' ? { status: 503 } : forward(),
  );
  await world.turn({ chain: world.throughFaults() });
  expect((await unfreeze(await world.walletOf(community))).status).toBe(200);
  expect(await world.statusesOf(community)).toEqual(['distributing']);
  world.rpc.heal();
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a wallet that is unfrozen while its transactions wait for a block has no nonce gap', async () => {
  await world.untilConsolidated(community);
  const [later] = await world.payoutsOf(community.id);
  await world.call('POST', `/api/sweep-operations/${later?.id}/cancel`);
  await world.chain.node.setAutomine(false);
  await world.turn();
  await world.owner(
    `UPDATE chain_wallet SET frozen_because = 'balance_short', frozen_at = now(), chain_nonce = 0 WHERE owner_id = $1`,
    [community.id],
  );
  await unfreeze(await world.walletOf(community));
  expect((await world.call('POST', `/api/sweep-operations/${later?.id}/retry`)).status).toBe(200);
  await world.turn({ doubtMs: 0 });
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: null });
  await world.chain.node.setAutomine(true);
  await world.payOut(world.engineWith({ doubtMs: 0 }));
  expect(await world.paidState(community)).toEqual(PAID);
});
