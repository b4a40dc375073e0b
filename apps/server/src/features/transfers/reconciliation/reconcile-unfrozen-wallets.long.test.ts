import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../tests/support/world/engine-world.ts';
import type { OwingCommunity } from '../../../../../../tests/support/world/owing-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { reconcileWallets } from './reconcile-wallets.ts';

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

/** Compares all wallets with the chain as of its last final block. */
async function reconcile(db = world.engineWith().db): Promise<void> {
  const { number, hash } = await world.chain.node.getBlock({ blockTag: 'finalized' });
  const tokenAddress = world.chain.token.address.toLowerCase();
  await world.owner(
    `INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash) VALUES (56, $1, $2, $3)
     ON CONFLICT (chain_id, token_address) DO UPDATE SET block_number = $2, block_hash = $3`,
    [tokenAddress, Number(number), hash],
  );
  const { log, now, chain, chainId } = world.engineWith();
  await reconcileWallets({ db, log, now, chain, chainId, tokenAddress });
}

test('a wallet whose chain was ahead continues from its nonce, and agrees with the chain from then on', async () => {
  await world.untilConsolidated(community);
  await world.chain.node.setNonce({ address: community.wallet as `0x${string}`, nonce: 5 });
  await world.turn();
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: 'chain_ahead' });
  expect((await unfreeze(await world.walletOf(community))).status).toBe(200);
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
  await reconcile();
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: null });
});

test('a nonce missing in the books freezes the wallet until a person accepts it', async () => {
  await world.payOut();
  await world.owner('UPDATE chain_wallet SET next_nonce = next_nonce + 2 WHERE owner_id = $1', [
    community.id,
  ]);
  await world.chain.node.setNonce({
    address: community.wallet as `0x${string}`,
    nonce: Number((await world.walletOf(community))?.next_nonce),
  });
  await world.chain.finalize();
  await reconcile();
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: 'nonce_missing' });
  await unfreeze(await world.walletOf(community));
  await reconcile();
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: null });
});

test('a transfer whose nonce a foreign transaction spent is concluded by a review, and can be paid again', async () => {
  await world.untilConsolidated(community);
  await world.chain.node.setAutomine(false);
  await world.turn();
  const hashes = await world.owner<{ hash: `0x${string}` }>(
    `SELECT t.hash FROM transfer_attempt t JOIN transfer i ON i.id = t.transfer_id
     WHERE i.community_id = $1 AND i.kind = 'distribute'`,
    [community.id],
  );
  for (const { hash } of hashes) await world.chain.node.dropTransaction({ hash });
  await world.chain.node.setAutomine(true);
  await world.chain.node.setNonce({ address: community.wallet as `0x${string}`, nonce: 1 });
  await world.chain.finalize();
  await world.turn({ doubtMs: 0, resendMs: 1e9 });
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: 'foreign_transaction' });
  expect((await unfreeze(await world.walletOf(community))).status).toBe(200);
  const failed = (await world.payoutsOf(community.id)).filter(({ status }) => status === 'failed');
  expect(failed).toMatchObject([{ problem: 'foreign_transaction' }]);
  await world.payOut(world.engineWith({ doubtMs: 0, resendMs: 0 }));
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: null });
  expect((await world.paidState(community)).unpaid).toEqual([]);
  const [entry] = await world.owner<{ after: object }>(
    `SELECT after FROM audit_entry WHERE action = 'transfer.cancelled' AND target_id = $1`,
    [failed[0]?.id],
  );
  expect(entry?.after).toMatchObject({ because: 'foreign_transaction', reason: 'Looked at' });
  expect((await world.call('POST', `/api/sweep-operations/${failed[0]?.id}/retry`)).status).toBe(200);
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
  await reconcile();
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: null });
});

test('a wrong nonce from a server does not strand a wallet', async () => {
  await world.untilConsolidated(community);
  world.rpc.behave(async ({ method, params }, forward) =>
    method === 'eth_getTransactionCount' && params[1] === 'pending' ? { result: '0x3e8' } : forward(),
  );
  await world.turn({ chain: world.throughFaults() });
  world.rpc.heal();
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: 'chain_ahead' });
  await unfreeze(await world.walletOf(community));
  await world.turn({ doubtMs: 0 });
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: 'nonce_gap' });
  expect((await unfreeze(await world.walletOf(community))).status).toBe(200);
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
  await reconcile();
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: null });
});

test('a deposit booked during the comparison is not reported as missing on chain', async () => {
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
    const { number, hash } = await world.chain.node.getBlock({ blockTag: 'finalized' });
    await world.owner('UPDATE chain_cursor SET block_number = $1, block_hash = $2', [Number(number), hash]);
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
