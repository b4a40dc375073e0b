import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createFaultyRpc } from '../../../tests/support/faulty-rpc.ts';
import { startWorkerProcess } from '../../../tests/support/worker-process.ts';
import type { OwingCommunity } from '../../../tests/support/world/owing-world.ts';
import { createPayingChain } from '../../../tests/support/world/paying-chain.ts';
import { createPayingWorld } from '../../../tests/support/world/paying-world.ts';
import { findUnpaid } from '../../../tests/support/world/sound-payouts.ts';
import { TEST_SEED } from '../../../tests/support/world/transfer-engine.ts';
import { usdt } from '../../../tests/support/world/usdt.ts';
import { SERVER_FAULTS, type ServerFault } from './server-faults.ts';

// npm run chaos -- servers [--minutes=30] [--seed=N]: the product's own worker reads and pays through one server that
// misbehaves in one way after the other, while traders pay and communities are paid out. Nothing may be lost or paid
// twice, a screen has to name each fault that holds money up within half a minute, and everything is final within three
// minutes of its end.
const minutes = Number(process.env.CHAOS_MINUTES ?? 30);
const seed = Number(process.env.CHAOS_SEED ?? randomInt(1_000_000));

/** A local chain dates blocks by whole seconds. */
const BLOCK_EVERY_MS = 1_000;
const PAY_EVERY_MS = 6_000;
const DISTRIBUTE_EVERY_MS = 15_000;
const NAMED_WITHIN_MS = 30_000;
const FINAL_WITHIN_MS = 180_000;
const AMOUNT = 20;
const COMMUNITIES = 3;

test('a server of the chain that misbehaves loses nothing and pays nothing twice', async () => {
  const faultMs = Math.max(40_000, (minutes * 60_000) / SERVER_FAULTS.length - 40_000);
  const payments = SERVER_FAULTS.length * Math.ceil(faultMs / PAY_EVERY_MS + 1);
  console.log(`${SERVER_FAULTS.length} faults of ${Math.round(faultMs / 1_000)} s each, --seed=${seed}`);
  const world = await createPayingWorld();
  onTestFinished(() => world.close());
  const other = await createPayingChain();
  onTestFinished(() => other.stop());
  const rpc = await createFaultyRpc(world.chain.url);
  onTestFinished(() => rpc.close());
  const communities: OwingCommunity[] = [];
  for (let nth = 0; nth < COMMUNITIES; nth += 1) {
    const community = await world.addCommunity();
    await world.chain.giveCoin(community.wallet, 10n ** 19n);
    communities.push(community);
  }
  const traders: string[] = [];
  for (let nth = 0; nth < payments; nth += 1) {
    const community = communities[nth % COMMUNITIES] as OwingCommunity;
    const trader = await world.addTrader({
      community_id: community.id,
      selected_provider_id: community.providerId,
    });
    await world.addPositions(trader, String(2 * AMOUNT));
    traders.push(trader.id);
  }
  await world.invoice();
  await world.owner('DELETE FROM chain_cursor');
  await world.chain.node.setAutomine(false);
  await other.node.setAutomine(false);
  let isMining = true;
  const mining = (async () => {
    while (isMining) {
      await Promise.all([world.chain.mine(1), other.mine(1)]).catch(() => {});
      await sleep(BLOCK_EVERY_MS);
    }
  })();
  onTestFinished(async () => {
    isMining = false;
    await mining;
  });
  await startWorkerProcess(world.ownerUrl, {
    CHAIN_RPC_URLS: rpc.url,
    CHAIN_ID: '56',
    TOKEN_ADDRESS: world.chain.token.address,
    WALLET_SEED: TEST_SEED,
    PAYOUT_MAX_PER_TRANSACTION: '100000',
    PAYOUT_MAX_PER_DAY: '1000000',
    APPROVAL_ABOVE_USDT: '100000',
    READING_EVERY_MS: '86400000',
  });
  await expect.poll(() => world.owner('SELECT FROM chain_cursor'), { timeout: 60_000 }).toHaveLength(1);
  const token = { current: world.token };
  const renewing = setInterval(async () => {
    token.current = await world.signIn('super');
  }, 240_000);
  onTestFinished(() => clearInterval(renewing));

  let head = Number(await world.chain.node.getBlockNumber());
  const heads = setInterval(async () => {
    head = Number(await world.chain.node.getBlockNumber().catch(() => head));
  }, BLOCK_EVERY_MS);
  onTestFinished(() => clearInterval(heads));

  let paid = 0;
  const pay = async () => {
    const [invoice] = await world.invoicesOf(traders[paid] as string);
    paid += 1;
    await world.chain.pay(invoice?.payment_address as string, usdt(AMOUNT));
  };
  const distributeAll = async () => {
    for (const { id } of communities) await world.distribute(id, {}, {}, token.current);
  };
  /** All that a super admin can read of it. */
  const said = async (): Promise<string[]> => {
    const ask = async (url: string) =>
      (await world.app.inject({ method: 'GET', url, headers: { authorization: token.current } })).json<{
        data: Record<string, unknown> & Record<string, unknown>[];
      }>().data;
    const reading = await ask('/api/super-admin/deposit-reading');
    const words = [String(reading.stopped_because ?? '')];
    if (reading.late_seconds) words.push(`deposits are read ${reading.late_seconds} s late`);
    for (const { id } of communities) {
      const open = await world.owner<{ id: string }>(
        `SELECT id FROM payout WHERE community_id = $1 AND status NOT IN ('distributed', 'failed') LIMIT 2`,
        [id],
      );
      for (const payout of open) {
        const { waits_for } = (await ask(`/api/sweep-operations/${payout.id}`)) as {
          waits_for?: { reason: string; detail: string | null } | null;
        };
        if (waits_for) words.push(`${waits_for.reason} ${waits_for.detail ?? ''}`);
      }
    }
    return words.filter((each) => each.trim() !== '');
  };
  const unfinished = async () => {
    const [row] = await world.owner<{ unbooked: number; open: number }>(
      `SELECT (SELECT count(*)::int FROM invoice i WHERE i.trader_id = ANY ($1::uuid[]) AND i.status <> 'paid') AS unbooked,
         (SELECT count(*)::int FROM payout WHERE community_id = ANY ($2::uuid[]) AND status <> 'distributed') AS open`,
      [traders.slice(0, paid), communities.map(({ id }) => id)],
    );
    return (row?.unbooked ?? 0) + (row?.open ?? 0);
  };
  const untilFinal = async () => {
    const since = performance.now();
    while (performance.now() - since < FINAL_WITHIN_MS) {
      if ((await unfinished()) === 0) return performance.now() - since;
      await sleep(500);
    }
    return null;
  };
  const play = async (fault: ServerFault) => {
    const began = performance.now();
    fault.begin(rpc, { head: () => head, elsewhere: () => other.url });
    let namedAfter: number | null = null;
    const heard = new Set<string>();
    let paidAt = Number.NEGATIVE_INFINITY;
    let distributedAt = Number.NEGATIVE_INFINITY;
    while (performance.now() - began < faultMs) {
      const at = performance.now();
      if (at - paidAt > PAY_EVERY_MS && paid < traders.length) {
        paidAt = at;
        await pay();
      }
      if (at - distributedAt > DISTRIBUTE_EVERY_MS) {
        distributedAt = at;
        await distributeAll();
      }
      const words = await said();
      for (const each of words) heard.add(each);
      if (namedAfter === null && fault.saidAs && words.some((each) => fault.saidAs?.test(each)))
        namedAfter = performance.now() - began;
      await sleep(700);
    }
    rpc.heal();
    const ended = performance.now();
    // What is booked only now is paid out as well.
    while ((await unfinished()) > 0 && performance.now() - ended < FINAL_WITHIN_MS) {
      await distributeAll();
      await sleep(1_000);
    }
    const finalAfter = await untilFinal();
    const row = {
      fault: fault.name,
      namedAfter: fault.saidAs === null ? 'gone around' : seconds(namedAfter),
      finalAfter: seconds(finalAfter === null ? null : performance.now() - ended),
      paid,
    };
    console.log(JSON.stringify(row), fault.saidAs !== null && namedAfter === null ? [...heard] : '');
    return { fault, namedAfter, finalAfter };
  };

  const results = [];
  for (const fault of SERVER_FAULTS) results.push(await play(fault));
  const wrong = [];
  for (const { id } of communities) wrong.push(...(await findUnpaid(world, world.chain.token, id)));
  const [booked] = await world.owner<{ units: string }>(
    'SELECT coalesce(sum(amount_units), 0)::text AS units FROM deposit WHERE trader_id = ANY ($1::uuid[])',
    [traders],
  );
  expect(wrong).toEqual([]);
  expect(BigInt(booked?.units ?? 0), 'every payment is booked, once').toBe(BigInt(paid) * usdt(AMOUNT));
  expect(results.filter(({ finalAfter }) => finalAfter === null).map(({ fault }) => fault.name)).toEqual([]);
  const unnamed = results.filter(
    ({ fault, namedAfter }) => fault.saidAs !== null && (namedAfter === null || namedAfter > NAMED_WITHIN_MS),
  );
  expect(unnamed.map(({ fault }) => fault.name)).toEqual([]);
});

const seconds = (ms: number | null) => (ms === null ? 'never' : `${(ms / 1_000).toFixed(1)} s`);
