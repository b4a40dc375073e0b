import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../tests/support/world/engine-world.ts';
import type { OwingCommunity } from '../../../../../../tests/support/world/owing-world.ts';
import { ChainSilent } from '../../../integrations/chain/chain-sender.ts';

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

test('a server of another chain is not paid over', async () => {
  world.rpc.behave(async ({ method }, forward) =>
    method === 'eth_chainId' ? { result: '0x61' } : forward(),
  );
  await expect(world.throughBoth().check(56)).rejects.toThrow('the server is of chain 97, not 56');
  world.rpc.behave(async () => ({ status: 503 }));
  await expect(world.throughBoth().check(56)).resolves.toBeUndefined();
  await expect(world.throughFaults().check(56)).rejects.toBeInstanceOf(ChainSilent);
});

test('nothing is consolidated into a wallet of another seed', async () => {
  await world.payOut();
  const place = await world.addCommunity();
  await world.owner('UPDATE community SET internal_wallet_address = $2 WHERE id = $1', [
    place.id,
    `0x${'5'.repeat(40)}`,
  ]);
  const { address } = await world.addPaid(place, 20);
  expect((await world.distribute(place.id)).status).toBe(200);
  const held = await world.chain.token.balanceOf(address as `0x${string}`);
  for (let n = 0; n < 3; n++) {
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await world.turn();
    await world.chain.finalize();
  }
  expect(await world.chain.token.balanceOf(address as `0x${string}`)).toBe(held);
  const problems = await world.owner(
    `SELECT DISTINCT problem FROM transfer WHERE community_id = $1 AND problem IS NOT NULL`,
    [place.id],
  );
  await world.owner(`UPDATE transfer SET state = 'void', ended_at = now() WHERE community_id = $1`, [
    place.id,
  ]);
  expect(problems).toEqual([{ problem: 'wallet_not_of_seed' }]);
});

test('neither the address of a server nor signed bytes come into the log', async () => {
  await world.untilConsolidated(community);
  const logged: string[] = [];
  const note = (...what: unknown[]) => {
    for (const each of what)
      if (typeof each === 'object' && each !== null)
        for (const value of Object.values(each))
          logged.push(value instanceof Error ? `${value.message} ${value.stack}` : JSON.stringify(value));
  };
  const log = { ...world.log, warn: note, error: note, info: note } as never;
  const chain = world.senderOf(`${world.rpc.url}/v3/the-key-of-our-account`);
  world.rpc.behave(async ({ method }, forward) =>
    method === 'eth_getTransactionCount' || method === 'eth_sendRawTransaction' ? { status: 429 } : forward(),
  );
  await world.turn({ chain, log }).catch((err) => note({ err }));
  world.rpc.behave(async ({ method }, forward) =>
    method === 'eth_sendRawTransaction' ? { status: 429 } : forward(),
  );
  await world.turn({ chain, log }).catch((err) => note({ err }));
  await Promise.all([world.turn({ chain, log, resendMs: 0 }), chain.coinOf(community.wallet)]).catch((err) =>
    note({ err }),
  );
  expect(logged.length).toBeGreaterThan(0);
  const raw = await world.owner<{ raw: string }>('SELECT raw FROM transfer_attempt');
  for (const line of logged) {
    expect(line).not.toContain('the-key-of-our-account');
    for (const { raw: bytes } of raw) expect(line).not.toContain(bytes);
  }
  world.rpc.heal();
  await world.payOut(world.engineWith({ resendMs: 0 }));
  expect(await world.paidState(community)).toEqual(PAID);
});
