import { creditDeposit } from './pool-money.ts';
import type { PoolDeposit, PoolState } from './pool-state.ts';
import type { RecordFault, RecordFaults } from './record-faults.ts';

const LATE_MS = 60_000;

/** Status and type of a deposit that is not credited: https://bybit-exchange.github.io/docs/v5/enum#depositstatus */
const HOLDS: Partial<Record<RecordFault, Pick<PoolDeposit, 'status' | 'depositType'>>> = {
  deposit_held: { status: 2, depositType: '20' },
  deposit_limited: { status: 2, depositType: '10' },
  deposit_blocked: { status: 2, depositType: '50' },
  deposit_rolled_back: { status: 7, depositType: '0' },
  deposit_under_review: { status: 70_013, depositType: '0' },
};

/** Applies the faults to a deposit that has just arrived. */
export function meetArrival(pool: PoolState, deposit: PoolDeposit, faults: RecordFaults, at: number): void {
  const { uid } = pool;
  if (faults.meetRecord('deposit_short', uid)) deposit.units -= deposit.units / 100n;
  const late = faults.meetRecord('records_late', uid);
  if (late) deposit.listedAt = at + (late.ms ?? LATE_MS);
  for (const kind of Object.keys(HOLDS) as (keyof typeof HOLDS)[])
    if (faults.meetRecord(kind, uid)) {
      Object.assign(deposit, HOLDS[kind]);
      return;
    }
}

/** Ends every hold: deposits are credited (70012 after a rollback), withdrawals go on. */
export function release(pool: PoolState, at: number): void {
  for (const deposit of pool.deposits) {
    const wasRolledBack = deposit.status === 7 || deposit.status === 70_013;
    if (!wasRolledBack && deposit.depositType === '0') continue;
    creditDeposit(pool, deposit, at);
    if (wasRolledBack) deposit.status = 70_012;
  }
  for (const withdrawal of pool.withdrawals) {
    if (!withdrawal.isHeld) continue;
    withdrawal.isHeld = false;
    withdrawal.status = 'Pending';
    withdrawal.updatedAt = at;
  }
}
