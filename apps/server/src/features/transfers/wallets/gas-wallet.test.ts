import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../../../../tests/support/world/engine-world.ts';
import { ChainSilent } from '../../../integrations/chain/chain-sender.ts';
import type { TransferEngine } from '../engine/engine.ts';
import { createHeartbeat } from '../engine/heartbeat.ts';
import { takeTransferTurn } from '../engine/transfer-turn.ts';

// Patience, not a measure: a payout lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world?.close());

interface GasWallet {
  address: string | null;
  balance: string | null;
  read_at: string | null;
  transfers: number | null;
  fee_basis: 'recent' | 'highest';
}
const read = async () =>
  (await world.call<{ data: GasWallet }>('GET', '/api/super-admin/gas-wallet')).body.data;
/** A turn whose heartbeat is due. */
const turn = (changes: Partial<TransferEngine> = {}) =>
  createHeartbeat(
    world.engineWith(changes),
    (error) => error instanceof ChainSilent,
  )((engine) => takeTransferTurn(engine));

test('the gas wallet has the address of the seed, and the coin that the worker has read', async () => {
  await world.owner('DELETE FROM transfer_heartbeat');
  expect(await read()).toMatchObject({
    address: world.gasWallet,
    balance: null,
    read_at: null,
    transfers: null,
  });

  await world.chain.giveCoin(world.gasWallet, 10n ** 17n);
  await turn();
  // 21,000 gas for the coin and twice 90,000 for the transfer, at 20 gwei: 0.00402 BNB.
  expect(await read()).toMatchObject({ balance: '0.1', transfers: 24, fee_basis: 'highest' });

  await world.chain.giveCoin(world.gasWallet, 0n);
  await turn();
  expect(await read()).toMatchObject({ balance: '0', transfers: 0 });
});

test('a chain that does not answer leaves the last balance and its time', async () => {
  await world.chain.giveCoin(world.gasWallet, 3n * 10n ** 17n);
  await turn();
  const before = await read();
  await turn({ chain: world.senderOf('http://127.0.0.1:9') });
  expect(await read()).toEqual(before);
  expect(before.balance).toBe('0.3');
});

test('after a payout, a transfer costs what left the gas wallet for it, top-ups included', async () => {
  const start = 10n ** 18n;
  await world.chain.giveCoin(world.gasWallet, start);
  const community = await world.addCommunity();
  await world.addPaid(community, 50);
  await world.distribute(community.id);
  await world.payOut();
  await turn();
  const [sent] = await world.owner<{ tokens: number; topups: number }>(
    `SELECT count(*) FILTER (WHERE kind <> 'gas_topup')::int AS tokens,
       count(*) FILTER (WHERE kind = 'gas_topup')::int AS topups FROM transfer WHERE state = 'final'`,
  );
  expect(sent?.topups).toBeGreaterThan(0);
  const after = await read();
  const left = BigInt(parseEther(after.balance as `${number}`));
  const perTransfer = (start - left + BigInt(sent?.tokens ?? 1) - 1n) / BigInt(sent?.tokens ?? 1);
  expect(after).toMatchObject({ transfers: Number(left / perTransfer), fee_basis: 'recent' });
});
