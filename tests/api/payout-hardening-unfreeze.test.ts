import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { takeTransferTurn } from '../../apps/server/src/features/transfers/engine/transfer-turn.ts';
import { reconcileWallets } from '../../apps/server/src/features/transfers/reconciliation/reconcile-wallets.ts';
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
  await world.distribute(community.id);
});
afterEach(async () => {
  rpc.heal();
  await world.chain.node.setAutomine(true);
});

type Changes = Parameters<PayingWorld['engineWith']>[0];
const turn = (changes: Changes = {}) => takeTransferTurn(world.engineWith(changes));
const throughFaults = () =>
  createChainSender({ rpcUrls: [rpc.url], tokenAddress: world.chain.token.address, timeoutMs: 1_000 });
const statuses = async () => [...new Set((await world.payoutsOf(community.id)).map(({ status }) => status))];
const wallet = async () =>
  (
    await world.owner<{ id: string; frozen_because: string | null; next_nonce: string }>(
      'SELECT id, frozen_because, next_nonce::text FROM chain_wallet WHERE owner_id = $1',
      [community.id],
    )
  )[0];
const unfreeze = async () =>
  world.call('POST', `/api/super-admin/wallets/${(await wallet())?.id}/unfreeze`, { reason: 'Looked at' });
const expectPaid = async () => {
  expect(await statuses()).toEqual(['distributed']);
  expect(await findUnpaid(world, world.chain.token, community.id)).toEqual([]);
};
async function untilConsolidated(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await turn({ inFlight: 0 });
    if ((await statuses()).every((status) => status === 'consolidated')) return;
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await turn();
    await world.chain.finalize();
  }
  throw new Error('the money did not come');
}
/** Holds all wallets against the chain as of its last final block. */
async function reconcile(db = world.engineWith().db): Promise<void> {
  const { number, hash } = await world.chain.node.getBlock({ blockTag: 'finalized' });
  await world.owner(
    `INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash) VALUES (56, $1, $2, $3)
     ON CONFLICT (chain_id, token_address) DO UPDATE SET block_number = $2, block_hash = $3`,
    [world.chain.token.address.toLowerCase(), Number(number), hash],
  );
  const { log, now, chain, chainId } = world.engineWith();
  const tokenAddress = world.chain.token.address.toLowerCase();
  await reconcileWallets({ db, log, now, chain, chainId, tokenAddress });
}

test('a wallet whose chain was ahead goes on from there, and agrees with itself from there on', async () => {
  await untilConsolidated();
  await world.chain.node.setNonce({ address: community.wallet as `0x${string}`, nonce: 5 });
  await turn();
  expect(await wallet()).toMatchObject({ frozen_because: 'chain_ahead' });
  expect((await unfreeze()).status).toBe(200);
  await world.payOut();
  await expectPaid();
  await reconcile();
  expect(await wallet()).toMatchObject({ frozen_because: null });
});

test('a nonce of ours that is missing in the books freezes the wallet, until a person has accepted it', async () => {
  await world.payOut();
  await world.owner('UPDATE chain_wallet SET next_nonce = next_nonce + 2 WHERE owner_id = $1', [
    community.id,
  ]);
  await world.chain.node.setNonce({
    address: community.wallet as `0x${string}`,
    nonce: Number((await wallet())?.next_nonce),
  });
  await world.chain.finalize();
  await reconcile();
  expect(await wallet()).toMatchObject({ frozen_because: 'nonce_missing' });
  await unfreeze();
  await reconcile();
  expect(await wallet()).toMatchObject({ frozen_because: null });
});

test('a transfer whose nonce somebody else spent has ended once a person has looked, and can be paid again', async () => {
  await untilConsolidated();
  await world.chain.node.setAutomine(false);
  await turn();
  const hashes = await world.owner<{ hash: `0x${string}` }>(
    `SELECT t.hash FROM transfer_attempt t JOIN transfer i ON i.id = t.transfer_id
     WHERE i.community_id = $1 AND i.kind = 'distribute'`,
    [community.id],
  );
  for (const { hash } of hashes) await world.chain.node.dropTransaction({ hash });
  await world.chain.node.setAutomine(true);
  await world.chain.node.setNonce({ address: community.wallet as `0x${string}`, nonce: 1 });
  await world.chain.finalize();
  await turn({ doubtMs: 0, resendMs: 1e9 });
  expect(await wallet()).toMatchObject({ frozen_because: 'foreign_transaction' });
  expect((await unfreeze()).status).toBe(200);
  const failed = (await world.payoutsOf(community.id)).filter(({ status }) => status === 'failed');
  expect(failed).toMatchObject([{ problem: 'foreign_transaction' }]);
  await world.payOut(world.engineWith({ doubtMs: 0, resendMs: 0 }));
  expect(await wallet()).toMatchObject({ frozen_because: null });
  expect(await findUnpaid(world, world.chain.token, community.id)).toEqual([]);
  const [entry] = await world.owner<{ after: object }>(
    `SELECT after FROM audit_entry WHERE action = 'transfer.cancelled' AND target_id = $1`,
    [failed[0]?.id],
  );
  expect(entry?.after).toMatchObject({ because: 'foreign_transaction', reason: 'Looked at' });
  expect((await world.call('POST', `/api/sweep-operations/${failed[0]?.id}/retry`)).status).toBe(200);
  await world.payOut();
  await expectPaid();
  await reconcile();
  expect(await wallet()).toMatchObject({ frozen_because: null });
});

test('a consolidation whose nonce somebody else spent can be ordered again', async () => {
  const [deposit] = await world.owner<{ id: string; address: `0x${string}` }>(
    `SELECT w.id, w.address FROM chain_wallet w JOIN transfer i ON i.wallet_id = w.id
     WHERE i.community_id = $1 AND i.kind = 'consolidate'`,
    [community.id],
  );
  await world.chain.giveCoin(deposit?.address as string, 10n ** 18n);
  await world.chain.node.setAutomine(false);
  await turn();
  const [tx] = await world.owner<{ hash: `0x${string}` }>(
    'SELECT hash FROM transfer_attempt WHERE wallet_id = $1',
    [deposit?.id],
  );
  await world.chain.node.dropTransaction({ hash: tx?.hash as `0x${string}` });
  await world.chain.node.setAutomine(true);
  await world.chain.node.setNonce({ address: deposit?.address as `0x${string}`, nonce: 1 });
  await world.chain.finalize();
  await turn({ doubtMs: 0, resendMs: 1e9 });
  await world.call('POST', `/api/super-admin/wallets/${deposit?.id}/unfreeze`, { reason: 'Looked at' });
  const payouts = await world.payoutsOf(community.id);
  expect(payouts.map(({ status, problem }) => [status, problem])).toEqual(
    payouts.map(() => ['failed', 'foreign_transaction']),
  );
  for (const { id } of payouts)
    expect((await world.call('POST', `/api/sweep-operations/${id}/retry`)).status).toBe(200);
  await world.payOut();
  await expectPaid();
});

test('what another server lied about the nonces of a wallet does not strand it', async () => {
  await untilConsolidated();
  rpc.behave(async ({ method, params }, forward) =>
    method === 'eth_getTransactionCount' && params[1] === 'pending' ? { result: '0x3e8' } : forward(),
  );
  await turn({ chain: throughFaults() });
  rpc.heal();
  expect(await wallet()).toMatchObject({ frozen_because: 'chain_ahead' });
  await unfreeze();
  await turn({ doubtMs: 0 });
  expect(await wallet()).toMatchObject({ frozen_because: 'nonce_gap' });
  expect((await unfreeze()).status).toBe(200);
  await world.payOut();
  await expectPaid();
  await reconcile();
  expect(await wallet()).toMatchObject({ frozen_because: null });
});

test('a transaction that did nothing, and says that all went well, has ended once a person has looked', async () => {
  await untilConsolidated();
  const { address } = world.chain.token;
  const code = (await world.chain.node.getCode({ address })) as `0x${string}`;
  // Answers yes to whatever it is asked, and does nothing.
  await world.chain.node.setCode({ address, bytecode: '0x600160005260206000f3' });
  await turn();
  await world.chain.finalize();
  await world.chain.node.setCode({ address, bytecode: code });
  const payouts = await world.payoutsOf(community.id);
  await turn();
  expect(await wallet()).toMatchObject({ frozen_because: 'receipt_differs' });
  expect((await unfreeze()).status).toBe(200);
  expect((await world.payoutsOf(community.id)).map(({ status, problem }) => [status, problem])).toEqual(
    payouts.map(() => ['failed', 'nothing_moved']),
  );
  for (const { id } of payouts)
    expect((await world.call('POST', `/api/sweep-operations/${id}/retry`)).status).toBe(200);
  await world.payOut();
  await expectPaid();
});

test('a transaction that a server tells otherwise in the end is not ended by hand', async () => {
  await untilConsolidated();
  await turn();
  await world.chain.finalize();
  rpc.behave(async ({ method }, forward) => {
    const answer = await forward();
    if (method !== 'eth_getTransactionReceipt' || !('result' in answer) || !answer.result) return answer;
    return { result: { ...(answer.result as object), logs: [] } };
  });
  await turn({ chain: throughFaults() });
  expect(await wallet()).toMatchObject({ frozen_because: 'receipt_differs' });
  // The worker cannot tell any longer: whoever lets the wallet go on has not seen that nothing moved.
  rpc.behave(async ({ method }, forward) =>
    method === 'eth_getTransactionReceipt' ? { status: 503 } : forward(),
  );
  await turn({ chain: throughFaults() });
  expect((await unfreeze()).status).toBe(200);
  expect(await statuses()).toEqual(['distributing']);
  rpc.heal();
  await world.payOut();
  await expectPaid();
});

test('a wallet that goes on while its transactions wait for a block has no gap', async () => {
  await untilConsolidated();
  const [later] = await world.payoutsOf(community.id);
  await world.call('POST', `/api/sweep-operations/${later?.id}/cancel`);
  await world.chain.node.setAutomine(false);
  await turn();
  await world.owner(
    `UPDATE chain_wallet SET frozen_because = 'balance_short', frozen_at = now(), chain_nonce = 0 WHERE owner_id = $1`,
    [community.id],
  );
  await unfreeze();
  expect((await world.call('POST', `/api/sweep-operations/${later?.id}/retry`)).status).toBe(200);
  await turn({ doubtMs: 0 });
  expect(await wallet()).toMatchObject({ frozen_because: null });
  await world.chain.node.setAutomine(true);
  await world.payOut(world.engineWith({ doubtMs: 0 }));
  await expectPaid();
});

test('a deposit that is booked while wallets are held against the chain is not missing there', async () => {
  const trader = await world.addPaid(community, 20);
  await world.distribute(community.id);
  await world.payOut();
  let isBooked = false;
  const bookOnce = async () => {
    if (isBooked) return;
    isBooked = true;
    await world.chain.token.mint(trader.address as `0x${string}`, usdt(7));
    await world.pay(trader.id, usdt(7));
    await world.chain.finalize();
    await world.owner('UPDATE chain_cursor SET block_number = $1', [
      Number((await world.chain.node.getBlock({ blockTag: 'finalized' })).number),
    ]);
  };
  /** After each statement that is asked, money may have come in. */
  const between = <T extends object>(executor: T): T =>
    new Proxy(executor, {
      get(target, key) {
        const value = Reflect.get(target, key) as unknown as (...asked: unknown[]) => unknown;
        if (key !== 'executeQuery') return typeof value === 'function' ? value.bind(target) : value;
        return async (...asked: unknown[]) => {
          const answer = await value.apply(target, asked);
          await bookOnce();
          return answer;
        };
      },
    });
  const db = {
    ...world.db,
    read: ((scope, work) =>
      world.db.read(scope, (tx) =>
        work({
          ...tx,
          sql: new Proxy(tx.sql, {
            get: (target, key) =>
              key === 'getExecutor' ? () => between(target.getExecutor()) : Reflect.get(target, key, target),
          }),
        }),
      )) as typeof world.db.read,
  };
  await reconcile(db);
  expect(isBooked).toBe(true);
  expect(
    await world.owner('SELECT address, frozen_because FROM chain_wallet WHERE frozen_because IS NOT NULL'),
  ).toEqual([]);
});
