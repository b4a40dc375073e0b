import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ENGINE_STEPS } from '../../apps/server/src/features/transfers/engine/engine.ts';
import { takeTransferTurn } from '../../apps/server/src/features/transfers/engine/transfer-turn.ts';
import { createChainSender } from '../../apps/server/src/integrations/chain/chain-sender.ts';
import { createFaultyRpc, type FaultyRpc } from '../support/faulty-rpc.ts';
import type { OwingCommunity } from '../support/world/owing-world.ts';
import { createPayingWorld, type PayingWorld } from '../support/world/paying-world.ts';
import { findUnpaid } from '../support/world/sound-payouts.ts';
import { usdt } from '../support/world/usdt.ts';

// Patience, not a measure: each of them lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: PayingWorld;
let rpc: FaultyRpc;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createPayingWorld();
  rpc = await createFaultyRpc(world.chain.url);
});
afterAll(async () => {
  await rpc?.close();
  await world?.close();
});
beforeEach(async () => {
  community = await world.addCommunity();
  await world.addPaid(community, 50);
  await world.chain.giveCoin(community.wallet, 10n ** 18n);
});
afterEach(async () => {
  rpc.heal();
  await world.chain.node.setAutomine(true);
});

/** A worker that talks to the chain through the server that misbehaves. */
const throughFaults = (changes: Parameters<PayingWorld['engineWith']>[0] = {}) =>
  world.engineWith({
    chain: createChainSender({
      rpcUrls: [rpc.url],
      tokenAddress: world.chain.token.address,
      timeoutMs: 1_000,
    }),
    ...changes,
  });
const turn = (engine = world.engineWith()) => takeTransferTurn(engine).catch(() => false);
const statuses = async () => (await world.payoutsOf(community.id)).map(({ status }) => status);
const expectPaid = async () => {
  expect(new Set(await statuses())).toEqual(new Set(['distributed']));
  expect(await findUnpaid(world, world.chain.token, community.id)).toEqual([]);
};
const attempts = () =>
  world.owner<{
    kind: string;
    nonce: string;
    attempt: number;
    hash: string;
    max_fee: string;
    state: string;
    is_cancel: boolean;
  }>(
    `SELECT i.kind, t.nonce::text, t.attempt, t.hash, t.max_fee_wei::text AS max_fee, i.state, t.is_cancel
     FROM transfer_attempt t JOIN transfer i ON i.id = t.transfer_id WHERE i.community_id = $1
     ORDER BY i.kind, t.nonce, t.attempt`,
    [community.id],
  );
/** Takes turns until what is owed is in the community's wallet, and nothing has left it. */
async function untilConsolidated(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await observeOnly();
    if ((await statuses()).every((status) => status === 'consolidated')) return;
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await turn();
    await world.chain.finalize();
  }
  throw new Error('the money did not come');
}
/** Looks at what was sent and signs nothing new. */
const observeOnly = () => turn(world.engineWith({ inFlight: 0 }));

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
        n++ % 5 === 0 ? { status: 429 } : forward();
    })(),
  ],
])('%s makes nobody pay twice', async (_, method, act) => {
  await world.distribute(community.id);
  rpc.behave(((call: { method: string }, forward: () => Promise<unknown>) =>
    method === '*' || call.method === method ? act(call, forward) : forward()) as never);
  const engine = throughFaults({ resendMs: 0 });
  for (let round = 0; round < 15; round++) {
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await turn(engine);
    await world.chain.finalize();
  }
  rpc.heal();
  await world.payOut(throughFaults({ resendMs: 0 }));
  await expectPaid();
  // Nothing was signed twice: an error is no reason to build another transaction.
  expect((await attempts()).every(({ attempt }) => attempt === 1)).toBe(true);
});

test('what a node forgot is sent again, the same bytes', async () => {
  await world.distribute(community.id);
  await untilConsolidated();
  await world.chain.node.setAutomine(false);
  await turn();
  const before = await attempts();
  for (const { hash } of before) await world.chain.node.dropTransaction({ hash: hash as `0x${string}` });
  await world.chain.node.setAutomine(true);
  await world.payOut(world.engineWith({ resendMs: 0 }));
  expect((await attempts()).map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
  await expectPaid();
});

test('what takes too long is signed again with the same nonce and a higher fee, and pays once', async () => {
  await world.distribute(community.id);
  await untilConsolidated();
  await world.chain.node.setAutomine(false);
  await turn();
  await turn(world.engineWith({ stuckMs: 0 }));
  await turn(world.engineWith({ stuckMs: 0 }));
  const stuck = (await attempts()).filter(({ kind }) => kind === 'distribute');
  const replaced = stuck.filter(({ nonce }) => nonce === '0');
  expect(replaced.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  expect(BigInt(replaced[2]?.max_fee ?? 0)).toBeGreaterThan(BigInt(replaced[0]?.max_fee ?? 0) + 1n);
  await world.chain.node.setAutomine(true);
  await world.payOut();
  await expectPaid();
});

test('a payout that is taken back before it is mined spends its nonce on nothing, and can be paid again', async () => {
  await world.distribute(community.id);
  await untilConsolidated();
  await world.chain.node.setAutomine(false);
  await turn();
  const [first] = await world.payoutsOf(community.id);
  const id = first?.id as string;
  expect((await world.call('POST', `/api/sweep-operations/${id}/cancel`)).status).toBe(200);
  await turn();
  await world.chain.node.setAutomine(true);
  await world.payOut();
  const after = await world.payoutsOf(community.id);
  expect(after.find((each) => each.id === id)).toMatchObject({ status: 'failed', problem: 'cancelled' });
  expect(after.filter((each) => each.id !== id).every((each) => each.status === 'distributed')).toBe(true);
  expect(await findUnpaid(world, world.chain.token, community.id)).toEqual([]);
  expect((await world.call('POST', `/api/sweep-operations/${id}/retry`)).status).toBe(200);
  await world.payOut();
  await expectPaid();
});

test('a transaction that the chain reverts pays nobody, and is paid again only when a person says so', async () => {
  await world.distribute(community.id);
  await untilConsolidated();
  await world.chain.node.setAutomine(false);
  await turn();
  // Somebody with the key empties the wallet in between.
  const thief = `0x${'7'.repeat(40)}` as const;
  const held = await world.chain.token.balanceOf(community.wallet as `0x${string}`);
  await world.chain.setTokens(community.wallet, 0n);
  await world.chain.node.setAutomine(true);
  await world.payOut();
  expect(new Set(await statuses())).toEqual(new Set(['failed']));
  const [payout] = await world.payoutsOf(community.id);
  expect(payout?.problem).toBe('reverted');
  expect(await world.chain.token.balanceOf(thief)).toBe(0n);
  await world.chain.setTokens(community.wallet, held);
  await world.payOut();
  expect(new Set(await statuses())).toEqual(new Set(['failed']));
  for (const { id } of await world.payoutsOf(community.id))
    expect((await world.call('POST', `/api/sweep-operations/${id}/retry`)).status).toBe(200);
  await world.payOut();
  await expectPaid();
});

test('a block that goes away before it is final takes nothing with it: the same bytes are sent again', async () => {
  await world.distribute(community.id);
  await untilConsolidated();
  await turn();
  const before = await attempts();
  await observeOnly();
  expect(new Set(await statuses())).toEqual(new Set(['distributing']));
  await world.chain.node.request({ method: 'anvil_reorg' as never, params: [4, []] as never });
  await world.payOut(world.engineWith({ resendMs: 0 }));
  expect((await attempts()).map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
  await expectPaid();
});

test('one server that tells of a payment which never was is not believed', async () => {
  await world.distribute(community.id);
  await untilConsolidated();
  await world.chain.node.setAutomine(false);
  await turn();
  rpc.behave(async ({ method, params }, forward) => {
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
  const lied = world.engineWith({
    chain: createChainSender({
      rpcUrls: [rpc.url, world.chain.url],
      tokenAddress: world.chain.token.address,
      timeoutMs: 1_000,
    }),
  });
  await world.chain.mine(12);
  await turn(lied);
  expect(new Set(await statuses())).toEqual(new Set(['distributing']));
  await world.chain.node.setAutomine(true);
  await world.payOut();
  await expectPaid();
});
const fetchRpc = async (method: string, params: unknown[]) =>
  (await (
    await fetch(world.chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  ).json()) as { result: unknown };

test('a nonce that somebody else spent freezes the wallet', async () => {
  await world.distribute(community.id);
  await untilConsolidated();
  await world.chain.node.setAutomine(false);
  await turn();
  for (const { hash } of (await attempts()).filter(({ kind }) => kind === 'distribute'))
    await world.chain.node.dropTransaction({ hash: hash as `0x${string}` });
  await world.chain.node.setAutomine(true);
  await world.chain.node.setNonce({ address: community.wallet as `0x${string}`, nonce: 1 });
  await world.chain.finalize();
  await turn(world.engineWith({ doubtMs: 0 }));
  const [wallet] = await world.owner('SELECT frozen_because FROM chain_wallet WHERE owner_id = $1', [
    community.id,
  ]);
  expect(wallet).toEqual({ frozen_because: 'foreign_transaction' });
});

test('payouts above a limit wait, and say why', async () => {
  await world.distribute(community.id);
  await untilConsolidated();
  const payouts = await world.payoutsOf(community.id);
  const largest = payouts.map(({ units }) => BigInt(units)).toSorted((a, b) => (a < b ? 1 : -1))[0] as bigint;
  const limits = { perTransaction: largest - 1n, perDay: null };
  await turn(world.engineWith({ limits }));
  const problems = await world.owner<{ problem: string | null }>(
    `SELECT problem FROM transfer WHERE community_id = $1 AND kind = 'distribute' AND state = 'planned'`,
    [community.id],
  );
  expect(problems).toEqual([{ problem: 'over_transaction_limit' }]);
  await world.payOut();
  await expectPaid();
});

test('without coin for gas nothing takes a nonce, and it goes on when there is some', async () => {
  await world.chain.giveCoin(world.gasWallet, 0n);
  await world.distribute(community.id);
  for (let round = 0; round < 3; round++) {
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await turn();
  }
  expect(await attempts()).toEqual([]);
  await world.chain.giveCoin(world.gasWallet, 10n ** 20n);
  await world.payOut();
  await expectPaid();
});

test('amounts of 18 decimals arrive to the unit', async () => {
  const odd = await world.addCommunity();
  const { id, address } = await world.addPaid(odd, 7);
  // A tip that splits into nothing round.
  await world.chain.token.mint(address as `0x${string}`, 1_234_567_890_123_456_789n);
  await world.pay(id, 1_234_567_890_123_456_789n);
  await world.distribute(odd.id);
  await world.payOut();
  const payouts = await world.payoutsOf(odd.id);
  expect(payouts.reduce((sum, { units }) => sum + BigInt(units), 0n)).toBe(
    usdt(7) + 1_234_567_890_123_456_789n,
  );
  expect(await findUnpaid(world, world.chain.token, odd.id)).toEqual([]);
});

test('five workers at once pay everybody once', async () => {
  for (let n = 0; n < 4; n++) await world.addPaid(community, 5 + n);
  await world.distribute(community.id);
  for (let round = 0; round < 20; round++) {
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await Promise.all(
      Array.from({ length: 5 }, () =>
        world.withDatabase((db) => turn(world.engineWith({ db, resendMs: 0 }))),
      ),
    );
    await world.chain.finalize();
  }
  await expectPaid();
});

test('a worker that dies at any step leaves something to go on from', async () => {
  for (const step of ENGINE_STEPS) {
    const place = await world.addCommunity();
    await world.addPaid(place, 20);
    await world.distribute(place.id);
    const dying = world.engineWith({
      resendMs: 0,
      atStep(reached) {
        if (reached === step) throw new Error(`died at ${step}`);
      },
    });
    for (let round = 0; round < 4; round++) {
      await world.owner('UPDATE transfer SET retry_at = NULL');
      await turn(dying);
      await world.chain.finalize();
    }
    await world.payOut();
    expect(await findUnpaid(world, world.chain.token, place.id), step).toEqual([]);
    expect(new Set((await world.payoutsOf(place.id)).map(({ status }) => status)), step).toEqual(
      new Set(['distributed']),
    );
  }
});
