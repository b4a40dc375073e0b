import type { CallAnswer } from '@copydesk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwingCommunity } from '../../../../../../tests/support/world/owing-world.ts';
import { createPayingWorld, type PayingWorld } from '../../../../../../tests/support/world/paying-world.ts';
import { ChainSilent, createChainSender } from '../../../integrations/chain/chain-sender.ts';
import type { TransferEngine } from '../../transfers/engine/engine.ts';
import { createHeartbeat } from '../../transfers/engine/heartbeat.ts';
import { takeTransferTurn } from '../../transfers/engine/transfer-turn.ts';

type Listed = CallAnswer<'GET /api/super-admin/communities/{id}/distributions'>['data'][number];

let world: PayingWorld;
beforeAll(async () => {
  world = await createPayingWorld();
}, 120_000);
afterAll(() => world?.close());

async function newest({ id }: OwingCommunity): Promise<Listed> {
  const { body } = await world.call<{ data: Listed[] }>(
    'GET',
    `/api/super-admin/communities/${id}/distributions`,
  );
  return body.data[0] as Listed;
}
async function ordered(...amounts: number[]): Promise<{ community: OwingCommunity; traders: string[] }> {
  const community = await world.addCommunity();
  const traders: string[] = [];
  for (const amount of amounts) traders.push((await world.addPaid(community, amount)).id);
  expect((await world.distribute(community.id)).status).toBe(200);
  return { community, traders };
}
/** Makes everything that a distribution did happen so long ago. */
const age = (communityId: string, interval: string) =>
  world.owner(
    `UPDATE transfer SET created_at = created_at - $2::interval, sent_at = sent_at - $2::interval,
       ended_at = ended_at - $2::interval WHERE community_id = $1`,
    [communityId, interval],
  );
const freezeDeposit = (traderId: string | undefined) =>
  world.owner(
    `UPDATE chain_wallet SET frozen_because = 'balance_short', frozen_at = now(), chain_nonce = 0
     WHERE role = 'deposit' AND owner_id = $1`,
    [traderId],
  );

test('a distribution is ordered, and done once the last payout is final', async () => {
  const { community } = await ordered(20);
  const before = await newest(community);
  expect(before).toMatchObject({ progress: 'ordered', returned_amount: '0', standstill: null });
  expect(before.payouts).toEqual({
    distributed: 0,
    failed: 0,
    under_way: before.payout_count,
    ordered_again: 0,
  });
  const seen: unknown[] = [];
  for (let round = 0; round < 20 && seen.at(-1) !== 'done'; round++) {
    await world.owner('UPDATE transfer SET retry_at = NULL WHERE retry_at IS NOT NULL');
    while (await takeTransferTurn(world.engineWith())) {
      // until it waits for blocks
    }
    await world.chain.finalize();
    seen.push((await newest(community)).progress);
  }
  expect([...new Set(seen)]).toEqual(['ordered', 'under_way', 'done']);
  expect(await newest(community)).toMatchObject({
    progress: 'done',
    payouts: { distributed: before.payout_count, under_way: 0 },
    standstill: null,
  });
});

test('shares held back by a frozen deposit address are reported as returned', async () => {
  const { community, traders } = await ordered(20, 40);
  await freezeDeposit(traders[0]);
  await world.payOut();
  expect(await newest(community)).toMatchObject({
    progress: 'done',
    total_amount: '60',
    returned_amount: '20',
    returned: [{ trader: { id: traders[0] }, amount: '20' }],
  });
});

test('one that waits for a frozen wallet needs attention at once, and says which', async () => {
  const community = await world.addCommunity();
  const trader = await world.addPaid(community, 20);
  await world.distribute(community.id);
  await freezeDeposit(trader.id);
  await world.payOut();
  expect(await newest(community)).toMatchObject({
    progress: 'needs_attention',
    standstill: { reason: 'wallet_frozen', detail: 'balance_short', step: 'consolidate' },
  });
});

test('a distribution is late after twice the usual time of recent transfers, not before', async () => {
  // Those of the tests above took seconds: a step is late after a minute.
  const { community } = await ordered(20);
  await age(community.id, '50 seconds');
  expect(await newest(community)).toMatchObject({ progress: 'ordered', standstill: null });
  await age(community.id, '20 seconds');
  const late = await newest(community);
  expect(late).toMatchObject({
    progress: 'needs_attention',
    // No heartbeat: turns are taken by hand here.
    standstill: { reason: 'no_worker', step: 'consolidate' },
  });
  expect(late.standstill?.usual_seconds).toBeLessThan(60);

  // Where the step usually takes ten minutes, the same order is in time.
  await world.owner(
    `UPDATE transfer SET created_at = ended_at - interval '10 minutes' WHERE kind = 'consolidate' AND state = 'final'`,
  );
  expect(await newest(community)).toMatchObject({ progress: 'ordered', standstill: null });
  await age(community.id, '19 minutes');
  expect(await newest(community)).toMatchObject({
    progress: 'needs_attention',
    standstill: { usual_seconds: 600 },
  });
  await world.payOut();
  expect(await newest(community)).toMatchObject({ progress: 'done' });
});

test('a waiting payout names the obstacle', async () => {
  const { community } = await ordered(20);
  const [payout] = await world.payoutsOf(community.id);
  const reason = async () => {
    const { body } = await world.call<{ data: { waits_for: { reason: string } } }>(
      'GET',
      `/api/sweep-operations/${payout?.id}`,
    );
    return body.data.waits_for.reason;
  };
  const isSilence = (error: unknown) => error instanceof ChainSilent;
  const turn = (engine: TransferEngine) => createHeartbeat(engine, isSilence)(takeTransferTurn);
  await world.owner(`UPDATE transfer_heartbeat SET looked_at = now() - interval '2 minutes'`);
  expect(await reason()).toBe('no_worker');

  const engine = world.engineWith();
  await turn({ ...engine, maxFeeWei: 0n });
  expect(await reason()).toBe('fees_too_high');

  const silent = createChainSender({
    rpcUrls: ['http://127.0.0.1:9'],
    tokenAddress: world.chain.token.address,
    timeoutMs: 500,
  });
  await expect(turn({ ...engine, chain: silent })).rejects.toThrow();
  expect(await reason()).toBe('chain_silent');

  const failing = { ...engine.chain, currentFee: () => Promise.reject(new Error('broken')) };
  await expect(turn({ ...engine, chain: failing })).rejects.toThrow('broken');
  expect(await reason()).toBe('turn_failed');

  await turn({ ...engine, inFlight: 0 });
  expect(await reason()).toBe('in_turn');
  await world.owner(`UPDATE transfer_heartbeat SET looked_at = now() - interval '2 minutes'`);
  expect(await reason()).toBe('no_worker');
  await world.payOut();
});

test('a failed payout needs attention, and does not once its shares were ordered again', async () => {
  const { community } = await ordered(20);
  const payouts = await world.payoutsOf(community.id);
  for (const { id } of payouts) await world.call('POST', `/api/sweep-operations/${id}/cancel`);
  expect(await newest(community)).toMatchObject({
    progress: 'needs_attention',
    payouts: { failed: payouts.length, under_way: 0 },
  });
  await world.owner(`UPDATE payout SET problem = 'sent_again' WHERE community_id = $1`, [community.id]);
  expect(await newest(community)).toMatchObject({
    progress: 'done',
    payouts: { ordered_again: payouts.length, failed: 0, distributed: 0 },
  });
});
