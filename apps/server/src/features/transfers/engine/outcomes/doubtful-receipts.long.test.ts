import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { RpcBehaviour } from '../../../../../../../tests/support/faulty-rpc.ts';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../../tests/support/world/engine-world.ts';
import type { OwingCommunity } from '../../../../../../../tests/support/world/owing-world.ts';
import { takeTransferTurn } from '../transfer-turn.ts';

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

/** What a server answers about receipts, with something changed. */
const receipts =
  (change: (receipt: Record<string, unknown>) => Record<string, unknown>): RpcBehaviour =>
  async ({ method }, forward) => {
    const answer = await forward();
    if (method !== 'eth_getTransactionReceipt' || !('result' in answer) || !answer.result) return answer;
    return { result: change(answer.result as Record<string, unknown>) };
  };

test('a server that is down does not make our own transactions look foreign', async () => {
  await world.untilConsolidated(community);
  await world.turn();
  await world.chain.finalize();
  world.rpc.behave(async () => ({ status: 503 }));
  await world.turn({ chain: world.throughBoth(), doubtMs: 0, inFlight: 0 });
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: null });
  world.rpc.heal();
  await world.turn({ chain: world.throughBoth(), doubtMs: 0 });
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a server without receipts freezes nothing while another server has them', async () => {
  await world.untilConsolidated(community);
  await world.turn();
  await world.chain.finalize();
  world.rpc.behave(({ method }, forward) =>
    method === 'eth_getTransactionReceipt' ? Promise.resolve({ result: null }) : forward(),
  );
  await world.turn({ chain: world.throughBoth(), doubtMs: 0, inFlight: 0 });
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: null });
  world.rpc.heal();
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a receipt without logs is not believed from one server alone', async () => {
  await world.untilConsolidated(community);
  await world.turn();
  await world.chain.finalize();
  world.rpc.behave(receipts((receipt) => ({ ...receipt, logs: [] })));
  await world.turn({ chain: world.throughBoth(), doubtMs: 0, inFlight: 0 });
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: null });
  world.rpc.heal();
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a resolved doubt does not count when it comes up again', async () => {
  await world.untilConsolidated(community);
  await world.chain.node.setAutomine(false);
  await world.turn();
  let now = Date.now();
  const engine = world.engineWith({
    chain: world.throughFaults(),
    now: () => new Date(now),
    resendMs: 1e9,
    stuckMs: 1e9,
  });
  const ahead: RpcBehaviour = async ({ method, params }, forward) =>
    method === 'eth_getTransactionCount' && params[1] === 'finalized' ? { result: '0x40' } : forward();
  for (const behaviour of [ahead, null, ahead]) {
    if (behaviour) world.rpc.behave(behaviour);
    else world.rpc.heal();
    await takeTransferTurn(engine);
    now += 120_000;
  }
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: null });
});

test('a worker that wakes up late does not freeze a wallet whose transfers another one concluded', async () => {
  await world.untilConsolidated(community);
  await world.turn();
  await world.chain.finalize();
  const chain = world.senderOf(world.chain.url);
  let isLate = true;
  await world.turn({
    doubtMs: 0,
    chain: {
      ...chain,
      async finalReceipt() {
        const wasLate = isLate;
        isLate = false;
        if (wasLate) await world.payOut();
        return 'none';
      },
    },
  });
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: null });
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a wallet that a person is deciding about is not frozen for an earlier observation', async () => {
  await world.untilConsolidated(community);
  await world.turn();
  await world.chain.finalize();
  const deciding = new pg.Client({ connectionString: world.ownerUrl });
  await deciding.connect();
  onTestFinished(() => deciding.end());
  await deciding.query("BEGIN; SELECT set_config('copydesk.scope', 'all', true)");
  await deciding.query('UPDATE chain_wallet SET chain_nonce = 0 WHERE owner_id = $1', [community.id]);
  const chain = world.senderOf(world.chain.url);
  await world.turn({ doubtMs: 0, inFlight: 0, chain: { ...chain, finalReceipt: async () => 'none' } });
  await deciding.query('COMMIT');
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: null });
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});
