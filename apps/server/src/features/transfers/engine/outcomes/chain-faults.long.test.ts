import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
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
afterEach(() => world.heal());

test.each([
  [
    'a server that takes a transaction and never answers',
    'eth_sendRawTransaction',
    async (_: unknown, forward: () => Promise<unknown>) => forward().then(() => null),
  ],
  [
    'a server that loses every other transaction',
    'eth_sendRawTransaction',
    (() => {
      let n = 0;
      return async (_: unknown, forward: () => Promise<unknown>) => (n++ % 2 === 0 ? null : forward());
    })(),
  ],
  [
    'a server that says it knows them already',
    'eth_sendRawTransaction',
    async (_: unknown, forward: () => Promise<unknown>) => {
      await forward();
      return { error: { code: -32000, message: 'already known' } };
    },
  ],
  [
    'a server that says the nonce is too low',
    'eth_sendRawTransaction',
    async (_: unknown, forward: () => Promise<unknown>) => {
      await forward();
      return { error: { code: -32000, message: 'nonce too low' } };
    },
  ],
  [
    'a server that is busy',
    '*',
    (() => {
      let n = 0;
      return async (_: unknown, forward: () => Promise<unknown>) =>
        n++ % 13 === 0 ? { status: 429 } : forward();
    })(),
  ],
])('%s pays no recipient twice', async (_, method, act) => {
  world.rpc.behave(((call: { method: string }, forward: () => Promise<unknown>) =>
    method === '*' || call.method === method ? act(call, forward) : forward()) as never);
  const engine = world.engineWith({ chain: world.throughFaults(), resendMs: 0 });
  for (let round = 0; round < 15 && !(await world.isPaid(community)); round++) {
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await takeTransferTurn(engine).catch(() => false);
    await world.chain.finalize();
  }
  world.rpc.heal();
  await world.payOut(world.engineWith({ chain: world.throughFaults(), resendMs: 0 }));
  expect(await world.paidState(community)).toEqual(PAID);
  // Nothing was signed twice: an error is no reason to build another transaction.
  expect((await world.attemptsOf(community)).every(({ attempt }) => attempt === 1)).toBe(true);
});

test('a transfer that a node forgot is sent again, the same bytes', async () => {
  await world.untilConsolidated(community);
  await world.chain.node.setAutomine(false);
  await world.turn();
  const before = await world.attemptsOf(community);
  for (const { hash } of before) await world.chain.node.dropTransaction({ hash: hash as `0x${string}` });
  await world.chain.node.setAutomine(true);
  await world.payOut(world.engineWith({ resendMs: 0 }));
  expect((await world.attemptsOf(community)).map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a block that disappears before it is final changes nothing: the same bytes are sent again', async () => {
  await world.untilConsolidated(community);
  await world.turn();
  const before = await world.attemptsOf(community);
  await world.turn({ inFlight: 0 });
  expect(await world.statusesOf(community)).toEqual(['distributing']);
  await world.chain.node.request({ method: 'anvil_reorg' as never, params: [4, []] as never });
  await world.payOut(world.engineWith({ resendMs: 0 }));
  expect((await world.attemptsOf(community)).map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a payment that only one server reports is not believed', async () => {
  await world.untilConsolidated(community);
  await world.chain.node.setAutomine(false);
  await world.turn();
  world.rpc.behave(async ({ method, params }, forward) => {
    if (method !== 'eth_getTransactionReceipt') return forward();
    const block = (await (
      await fetchRpc('eth_getBlockByNumber', ['finalized', false])
    ).result) as Record<string, string>;
    return {
      result: {
        transactionHash: params[0],
        transactionIndex: '0x0',
        blockHash: block.hash,
        blockNumber: block.number,
        from: community.wallet,
        to: world.chain.token.address,
        cumulativeGasUsed: '0x1',
        gasUsed: '0x1',
        effectiveGasPrice: '0x1',
        contractAddress: null,
        logs: [],
        logsBloom: `0x${'0'.repeat(512)}`,
        status: '0x1',
        type: '0x2',
      },
    };
  });
  const lied = world.engineWith({ chain: world.throughBoth() });
  await world.chain.mine(12);
  await takeTransferTurn(lied).catch(() => false);
  expect(await world.statusesOf(community)).toEqual(['distributing']);
  await world.chain.node.setAutomine(true);
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

const fetchRpc = async (method: string, params: unknown[]) =>
  (await (
    await fetch(world.chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  ).json()) as { result: unknown };

test('a nonce that a foreign transaction spent freezes the wallet', async () => {
  await world.untilConsolidated(community);
  await world.chain.node.setAutomine(false);
  await world.turn();
  for (const { hash } of (await world.attemptsOf(community)).filter(({ kind }) => kind === 'distribute'))
    await world.chain.node.dropTransaction({ hash: hash as `0x${string}` });
  await world.chain.node.setAutomine(true);
  await world.chain.node.setNonce({ address: community.wallet as `0x${string}`, nonce: 1 });
  await world.chain.finalize();
  await world.turn({ doubtMs: 0 });
  const [wallet] = await world.owner('SELECT frozen_because FROM chain_wallet WHERE owner_id = $1', [
    community.id,
  ]);
  expect(wallet).toEqual({ frozen_because: 'foreign_transaction' });
});
