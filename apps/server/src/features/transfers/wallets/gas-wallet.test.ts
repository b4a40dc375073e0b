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
  // 90,000 gas at 20 gwei is 0.0018 BNB a transfer.
  expect(await read()).toMatchObject({ balance: '0.1', transfers: 55, fee_basis: 'highest' });

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

test('after a payout, the transfers left follow the fees of recent transactions', async () => {
  await world.orderPayout();
  await world.payOut();
  await world.chain.giveCoin(world.gasWallet, 10n ** 18n);
  await turn();
  const [fee] = await world.owner<{ wei: string }>(
    `SELECT floor(avg(fee_wei))::text AS wei FROM (SELECT fee_wei FROM transfer_attempt
      WHERE block_number IS NOT NULL ORDER BY block_number DESC LIMIT 50) recent`,
  );
  expect(await read()).toMatchObject({
    balance: '1',
    transfers: Number(10n ** 18n / BigInt(fee?.wei ?? 1)),
    fee_basis: 'recent',
  });
});
