import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { poolAccount, poolState, startSimulatedPools } from '../support/exchanges/simulated-pools.ts';
import { printedSeed } from '../support/printed-seed.ts';

const NOW = { priority: 'interactive' } as const;
const one = poolAccount(1);
const { uid } = poolState(1);
/** The venue's accuracy: 8 decimals. */
const STEP = 10n ** 10n;
const FEE = 3n * 10n ** 17n;
const RECEIVER = `0x${'cd'.repeat(20)}`;

/** An amount to the last of 18 decimals, and one that the venue accepts for a move or a withdrawal. */
const units = fc.bigInt({ min: 10n ** 16n, max: 10n ** 24n });
const accurate = fc.bigInt({ min: 1n, max: 10n ** 14n }).map((steps) => steps * STEP);

const act = fc.oneof(
  fc.record({ kind: fc.constant('deposit' as const), units, isHeld: fc.boolean() }),
  fc.record({ kind: fc.constant('release' as const) }),
  fc.record({ kind: fc.constant('move' as const), units: accurate }),
  fc.record({ kind: fc.constant('withdraw' as const), units: accurate, isRejected: fc.boolean() }),
  fc.record({ kind: fc.constant('trade' as const), minutes: fc.integer({ min: 1, max: 30 }) }),
);

test('for any history of an account, its balances are exact to the unit and its log explains them', async () => {
  await using venue = await startSimulatedPools();
  const startedAt = venue.now();
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { maxLength: 12 }),
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
      async (acts, bonus) => {
        const sinceMs = venue.now() + 1;
        venue.advance(1);
        venue.pools.change(uid, (pool) => Object.assign(pool, poolState(1, { unified: bonus, bonus })));
        // The books of this test: money in, money out, and the results of trading.
        const held: bigint[] = [];
        let funding = 0n;
        let unified = 0n;
        for (const step of acts) {
          if (step.kind === 'deposit') {
            if (step.isHeld) venue.faults.set({ kind: 'deposit_held', account: uid, times: 1 });
            venue.pools.deposit(uid, step.units);
            if (step.isHeld) held.push(step.units);
            else funding += step.units;
          } else if (step.kind === 'release') {
            venue.pools.release(uid);
            for (const credited of held.splice(0)) funding += credited;
          } else if (step.kind === 'move') {
            const move = { transferId: randomUUID(), amountUnits: step.units };
            const moved = await venue.reads.moveToUnified(one, move, NOW);
            expect(moved.state).toBe(step.units > funding ? 'refused' : 'done');
            if (step.units > funding) continue;
            funding -= step.units;
            unified += step.units;
          } else if (step.kind === 'withdraw') {
            if (step.isRejected) venue.faults.set({ kind: 'withdrawal_rejected', account: uid, times: 1 });
            const outcome = venue.pools.withdraw(uid, RECEIVER, step.units);
            venue.faults.clear();
            if ('refusal' in outcome || step.isRejected) continue;
            const left = step.units + FEE;
            const fromFunding = left < funding ? left : funding;
            funding -= fromFunding;
            unified -= left - fromFunding;
          } else {
            const before = (await venue.reads.readBalances(one, NOW)).unified.ownUnits;
            const tradesFrom = venue.now();
            venue.pools.startTrading(uid, 60_000);
            venue.advance(step.minutes * 60_000 + 1);
            venue.pools.stopTrading(uid);
            const traded = { sinceMs: tradesFrom, untilMs: venue.now() };
            venue.advance(1);
            const { byType } = await venue.reads.sumTransactionLog(one, traded, NOW);
            unified = before + (byType.TRADE ?? 0n);
          }
          const balances = await venue.reads.readBalances(one, NOW);
          expect(balances).toMatchObject({
            funding: { ownUnits: funding },
            unified: { ownUnits: unified },
            totalUnits: funding + unified,
            otherCoins: [],
          });
        }
        const whole = { sinceMs, untilMs: venue.now() };
        const { byType } = await venue.reads.sumTransactionLog(one, whole, NOW);
        expect(Object.values(byType).reduce((sum, units) => sum + units, 0n)).toBe(unified);
      },
    ),
    { seed: printedSeed('POOL_BALANCES_SEED'), numRuns: 60 },
  );
  expect(venue.now()).toBeGreaterThan(startedAt);
}, 120_000);
