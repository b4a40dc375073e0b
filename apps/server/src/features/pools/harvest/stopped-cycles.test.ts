import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createPoolWorld, type PoolWorld } from '../../../../../../tests/support/world/pool-world.ts';
import { stopPayments } from '../../../core/transfers/transfer-gate.store.ts';
import { WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { resumePayments } from '../../transfers/stops/stops.service.ts';
import { readCycles } from './cycles.store.ts';
import { deadlineFor } from './harvest-facts.ts';

// Patience, not a measure: many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const HOUR_MS = 3_600_000;
const OPERATOR = { kind: 'system', id: 'operator', name: 'Operator' } as const;

let world: PoolWorld;
beforeAll(async () => {
  world = await createPoolWorld();
});
afterAll(() => world?.close());
beforeEach(() => world.rest());

test('while payments are stopped no deadline passes, no owner is reminded, and the time does not count', async () => {
  const pool = await world.addTradingPool({ account: 1, amounts: [1_000] });
  expect((await world.act(pool.poolId, { action: 'start' })).status).toBe(200);
  await world.until(pool.poolId, 'awaiting_bybit_withdrawal');
  const cycleOf = async ({ poolId }: { poolId: string }) => (await world.pool(poolId)).current_harvest_cycle;
  const write = <T>(work: (tx: WriteTx) => Promise<T>) => world.operatorDb.write(WHOLE_SCOPE, OPERATOR, work);
  await write((tx) => stopPayments(tx, { origin: 'command', reason: 'A test' }));
  // The cycle began 73 hours ago, its 72 hours are over since one; the stop began two hours ago.
  await world.owner(
    `UPDATE harvest_cycle SET since = since - interval '73 hours', step_since = step_since - interval '73 hours',
       deadline_at = deadline_at - interval '73 hours' WHERE pooled_account_id = $1 AND ended_at IS NULL`,
    [pool.poolId],
  );
  await world.owner(
    `UPDATE transfer_stop SET stopped_at = stopped_at - interval '2 hours' WHERE lifted_at IS NULL`,
  );
  await world.owner("UPDATE transfer_gate SET stopped_since = stopped_since - interval '2 hours'");
  await world.round();
  await world.round();
  expect((await cycleOf(pool)).status).toBe('awaiting_bybit_withdrawal');
  const reminders = async () =>
    (await world.messagesOf(pool.community.id)).filter(({ kind }) => kind === 'withdraw_reminder');
  expect(await reminders()).toEqual([]);
  const minutesLeft = async () =>
    Math.round((Date.parse((await cycleOf(pool)).deadline_at ?? '') - Date.now()) / 60_000);
  const left = await minutesLeft();
  expect(Math.abs(left - 60)).toBeLessThan(30);

  await write((tx) => resumePayments(tx, 'The test is over'));
  expect(Math.abs((await minutesLeft()) - left)).toBeLessThanOrEqual(1);
  const { statusSince } = await world.db.read(WHOLE_SCOPE, async (tx) => {
    const [row] = await readCycles(tx, [pool.poolId]);
    if (!row) throw new Error('no cycle');
    // A later step of the same status counts the stop as well.
    const deadline = await deadlineFor(tx, row.state, {
      at: new Date(),
      statusSince: row.statusSince,
      waitedMs: 0,
    });
    expect(deadline?.getTime()).toBeCloseTo(row.deadlineAt?.getTime() ?? 0, -3);
    return row;
  });
  expect(statusSince.getTime()).toBeLessThan(Date.now() - 72 * HOUR_MS);
  await world.round();
  await world.round();
  expect((await cycleOf(pool)).status).toBe('awaiting_bybit_withdrawal');
  expect((await reminders()).length).toBe(1);
  world.venue.advance(2 * HOUR_MS);
  await world.until(pool.poolId, 'failed');
  expect((await cycleOf(pool)).reason).toBe('deadline_passed');
});
