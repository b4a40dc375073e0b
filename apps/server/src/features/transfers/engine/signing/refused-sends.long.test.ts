import { readFileSync } from 'node:fs';
import { classifyRefusal, REFUSALS } from '@copydesk/domain/payouts';
import { parseTransaction } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { DATABASE_LOST } from '../../../../../../../tests/support/failing-database.ts';
import {
  createEngineWorld,
  type EngineWorld,
} from '../../../../../../../tests/support/world/engine-world.ts';
import type { OwingCommunity } from '../../../../../../../tests/support/world/owing-world.ts';
import { createHeartbeat } from '../heartbeat.ts';
import { takeTransferTurn } from '../transfer-turn.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world?.close());
afterEach(async () => {
  await world.heal();
  await world.owner('UPDATE transfer_heartbeat SET tip_floor_wei = NULL, tip_floor_at = NULL');
  await world.payOut(world.engineWith({ resendMs: 0 }));
});

/** The server answers each transaction with these words. */
const refuse = (message: string) =>
  world.rpc.behave(async (call, forward) =>
    call.method === 'eth_sendRawTransaction' ? { error: { code: -32000, message } } : forward(),
  );
const sends = () => world.rpc.seen.filter(({ method }) => method === 'eth_sendRawTransaction').length;
const newestOf = async ({ id }: OwingCommunity) => {
  const rows = await world.owner<{
    refusal: string | null;
    detail: string | null;
    attempt: number;
    tip: string;
  }>(
    `SELECT t.refusal, t.refusal_detail AS detail, t.attempt, t.priority_fee_wei::text AS tip
     FROM transfer_attempt t JOIN transfer i ON i.id = t.transfer_id
     WHERE i.community_id = $1 AND i.kind = 'distribute' AND i.state = 'sent' ORDER BY t.nonce, t.attempt DESC`,
    [id],
  );
  return rows[0];
};
const waitOf = async ({ id }: OwingCommunity) => {
  const [payout] = await world.payoutsOf(id);
  return (await world.ask('GET /api/sweep-operations/{id}', { params: { id: payout?.id as string } })).body
    .data.waits_for;
};
/** A turn of a worker that records how it went. */
const turnWithHeartbeat = async (changes: Parameters<EngineWorld['engineWith']>[0]) => {
  const engine = world.engineWith(changes);
  await createHeartbeat(engine, () => false)((noting) => takeTransferTurn(noting)).catch(() => undefined);
};
const halted = async () =>
  (await world.owner('SELECT halted_because, halted_detail FROM transfer_heartbeat'))[0];

const WORDS: Partial<Record<string, string>> = {
  replacement_too_low: 'replacement transaction underpriced',
  nonce_used: 'nonce too low: next nonce 9, tx nonce 0',
  nonce_ahead: 'nonce too high',
  no_coin: 'insufficient funds for gas * price + value: balance 0',
  pool_full: 'txpool is full',
  rate_limited: 'daily request count exceeded, request rate limited',
  cost_capped: 'tx fee (1.50 ether) exceeds the configured cap (1.00 ether)',
  not_served: 'the method eth_sendRawTransaction does not exist/is not available',
  not_valid: 'invalid sender',
  unknown: 'internal error',
};

describe('a server that takes no transaction', () => {
  test.each(REFUSALS.filter((each) => each !== 'fee_too_low'))(
    'because of %s: its words are shown, and nothing is lost',
    async (refusal) => {
      const words = WORDS[refusal] as string;
      expect(classifyRefusal(words)).toBe(refusal);
      const community = await world.orderPayout();
      await world.untilConsolidated(community);
      refuse(words);
      await world.turn({ chain: world.throughFaults() });
      expect(await newestOf(community)).toMatchObject({ refusal, detail: words, attempt: 1 });
      expect(await waitOf(community)).toMatchObject({ reason: `refused_${refusal}`, detail: words });
      const before = sends();
      for (let n = 0; n < 10; n++) await world.turn({ chain: world.throughFaults() });
      // Bytes that no server took are not sent again in each turn.
      expect(sends()).toBe(before);
      world.rpc.heal();
      await world.turn({ chain: world.throughFaults(), resendMs: 0 });
      expect((await newestOf(community))?.refusal ?? null).toBeNull();
      await world.payOut(world.engineWith({ resendMs: 0 }));
      expect(await world.isPaid(community)).toBe(true);
      expect((await world.attemptsOf(community)).every(({ attempt }) => attempt === 1)).toBe(true);
    },
  );

  test('is reported as a halt of all payouts, with its words', async () => {
    const community = await world.orderPayout();
    await world.untilConsolidated(community);
    refuse('txpool is full');
    await turnWithHeartbeat({ chain: world.throughFaults() });
    expect(await halted()).toEqual({ halted_because: 'sends_refused', halted_detail: 'txpool is full' });
    world.rpc.heal();
    await turnWithHeartbeat({ chain: world.throughFaults(), resendMs: 0 });
    expect(await halted()).toEqual({ halted_because: null, halted_detail: null });
  });
});

test('every refusal is in the handbook', () => {
  const handbook = readFileSync(
    new URL('../../../../../../../docs/operations/payouts.md', import.meta.url),
    'utf8',
  );
  expect(REFUSALS.filter((refusal) => !handbook.includes(`| \`${refusal}\``))).toEqual([]);
});

const GWEI = 1_000_000_000n;
/** Suggests 0.05 gwei as a tip, and takes nothing below a minimum. */
const askForTip = (minimum: bigint, words: (tip: bigint) => string) =>
  world.rpc.behave(async (call, forward) => {
    if (call.method === 'eth_maxPriorityFeePerGas') return { result: '0x2faf080' };
    if (call.method !== 'eth_sendRawTransaction') return forward();
    const { maxPriorityFeePerGas = 0n } = parseTransaction(call.params[0] as `0x02${string}`);
    return maxPriorityFeePerGas < minimum
      ? { error: { code: -32000, message: words(maxPriorityFeePerGas) } }
      : forward();
  });

describe('a server that suggests less than it takes', () => {
  test.each([
    [
      'names its minimum',
      (tip: bigint) => `transaction underpriced: gas tip cap ${tip}, minimum needed ${GWEI}`,
    ],
    ['does not name its minimum', () => 'transaction underpriced'],
  ])('and %s gets it, from the first transfer to the last', async (_, words) => {
    const community = await world.orderPayout();
    await world.untilConsolidated(community);
    askForTip(GWEI, words);
    const chain = world.throughFaults();
    let turns = 0;
    for (; turns < 12 && !(await world.isPaid(community)); turns++) {
      await world.turn({ chain });
      await world.chain.finalize();
    }
    // A turn takes two seconds.
    expect(turns).toBeLessThan(10);
    const next = await world.orderPayout();
    const before = sends();
    await world.payOut(world.engineWith({ chain }));
    expect(await world.isPaid(next)).toBe(true);
    const attempts = (await world.attemptsOf(next)).map(({ attempt }) => attempt);
    expect(Math.max(...attempts)).toBe(1);
    // And the coin for the deposit address.
    expect(sends() - before).toBe(attempts.length + 1);
  });

  test('is not followed beyond the limit', async () => {
    const community = await world.orderPayout();
    await world.untilConsolidated(community);
    askForTip(10n ** 30n, () => `transaction underpriced: minimum needed ${10n ** 30n}`);
    for (let n = 0; n < 15; n++) await world.turn({ chain: world.throughFaults(), maxFeeWei: 20n * GWEI });
    const highest = Math.max(...(await world.attemptsOf(community)).map(({ max_fee }) => Number(max_fee)));
    expect(highest).toBeLessThanOrEqual(20e9);
    expect(await waitOf(community)).toMatchObject({ reason: 'refused_fee_too_low' });
  });

  test('a minimum that is set holds from the start', async () => {
    const community = await world.orderPayout();
    await world.untilConsolidated(community);
    await world.turn({ minTipWei: 3n * GWEI });
    expect((await newestOf(community))?.tip).toBe(String(3n * GWEI));
  });
});

describe('a server that fails every wallet', () => {
  test('fails the turn, which says why', async () => {
    await world.orderPayout();
    await world.orderPayout();
    world.rpc.behave(async (call, forward) =>
      call.method === 'eth_estimateGas'
        ? { error: { code: -32005, message: 'daily request count exceeded' } }
        : forward(),
    );
    await turnWithHeartbeat({ chain: world.throughFaults() });
    expect(await halted()).toEqual({
      halted_because: 'turn_failed',
      halted_detail: 'daily request count exceeded',
    });
    const [problems] = await world.owner(
      `SELECT count(*)::int AS refused FROM transfer WHERE state = 'planned' AND problem = 'refused_by_chain'`,
    );
    expect(problems).toEqual({ refused: 0 });
  });

  test('by refusing batches gets smaller ones', async () => {
    const community = await world.orderPayout();
    world.rpc.limitBatches(3);
    await world.payOut(world.engineWith({ chain: world.throughFaults() }));
    expect(await world.isPaid(community)).toBe(true);
  });
});

test('a turn that an outage of the database ends is not shown as halted', async () => {
  const withHeartbeat = createHeartbeat(world.engineWith({}), () => false);
  await expect(withHeartbeat(() => Promise.reject(DATABASE_LOST))).rejects.toBe(DATABASE_LOST);
  expect(await halted()).toEqual({ halted_because: null, halted_detail: null });
});
