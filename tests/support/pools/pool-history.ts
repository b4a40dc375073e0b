import { LedgerError, UNEXPLAINED_ENDS } from '@copydesk/domain/ledger';
import { HARVEST_EVENTS, HARVEST_ROLES, transitionsOf } from '@copydesk/domain/pools';
import fc from 'fast-check';
import { advance, emptyPool, trade, withdrawFromExchange } from './pool-advance.ts';
import { checkPool } from './pool-checks.ts';
import { fire } from './pool-cycle-model.ts';
import {
  arrive,
  askBack,
  collect,
  concludeCollection,
  deposit,
  payWithdrawal,
  requestWithdrawal,
  reserve,
  resolveUnexplained,
  undoReturn,
} from './pool-flow-model.ts';
import { createPoolModel, note, type PoolModel } from './pool-model.ts';

const POOLS = 3;
const MEMBERS = 5;
/** Steps of one history. */
export const HISTORY_STEPS = 500;

/** A step: an act on one of the pools, with random choices. */
export interface PoolStep {
  act: keyof typeof DO;
  pool: number;
  pick: number;
  /** 0 to 99. */
  roll: number;
  units: bigint;
}

const memberAt = (pool: PoolModel, pick: number) => `${pool.id}-m${pick % pool.members.length}`;

const DO = {
  advance: (pool: PoolModel, { roll }: PoolStep) => advance(pool, roll),
  deposit: (pool: PoolModel, { pick, units }: PoolStep) => deposit(pool, memberAt(pool, pick), units),
  ask_back: (pool: PoolModel, { pick, roll }: PoolStep) => {
    const one = pool.deposits[pick % (pool.deposits.length || 1)];
    if (one && roll < 20) askBack(pool, one);
  },
  withdraw: (pool: PoolModel, { pick, units }: PoolStep) =>
    requestWithdrawal(pool, memberAt(pool, pick), units),
  withdraw_all: (pool: PoolModel, { pick }: PoolStep) => requestWithdrawal(pool, memberAt(pool, pick), 'all'),
  flow: (pool: PoolModel, { pick, roll }: PoolStep) => {
    if (pick % 3 === 0) reserve(pool);
    if (pick % 3 === 1) collect(pool);
    const one = pool.deposits[pick % (pool.deposits.length || 1)];
    if (one && pick % 2 === 0) concludeCollection(pool, one, roll >= 20);
    const other = pool.withdrawals[pick % (pool.withdrawals.length || 1)];
    if (other) payWithdrawal(pool, other, roll >= 20);
  },
  trade: (pool: PoolModel, { roll }: PoolStep) => {
    if (pool.state.status === 'stopped') trade(pool, roll);
  },
  owner: (pool: PoolModel, { roll }: PoolStep) => withdrawFromExchange(pool, BigInt(roll + 1)),
  stranger: (pool: PoolModel, { units }: PoolStep) => arrive(pool, (units % 50n) + 1n, null),
  resolve: (pool: PoolModel, { pick }: PoolStep) =>
    resolveUnexplained(pool, UNEXPLAINED_ENDS[pick % UNEXPLAINED_ENDS.length] ?? 'sent_back'),
  undo: (pool: PoolModel, { pick }: PoolStep) => undoReturn(pool, pick),
  /** Any event by any role. The worker and the bot report facts only, so a listed event of theirs is left out. */
  event: (pool: PoolModel, { pick, roll }: PoolStep) => {
    const kind = HARVEST_EVENTS[pick % HARVEST_EVENTS.length];
    const role = HARVEST_ROLES[roll % HARVEST_ROLES.length];
    if (!kind || !role || kind === 'resolve') return;
    const isListed = transitionsOf(pool.state, kind).some(({ roles }) => roles.includes(role));
    if (isListed && (role === 'worker' || role === 'bot')) return;
    const before = pool.state;
    const isAccepted = fire(pool, kind, role);
    if (isAccepted && !isListed) throw new Error(`unlisted: ${kind} by ${role}`);
    if (!isAccepted && pool.state !== before) throw new Error(`a refused ${kind} moved the cycle`);
  },
  gate: (pool: PoolModel) => {
    fire(pool, 'close_gate', 'super_admin');
  },
};

const OFTEN = Array.from({ length: 16 }, () => 'advance' as const);
const step: fc.Arbitrary<PoolStep> = fc.record({
  act: fc.constantFrom(...OFTEN, ...(Object.keys(DO) as PoolStep['act'][])),
  pool: fc.nat(POOLS - 1),
  pick: fc.nat(10_000),
  roll: fc.nat(99),
  units: fc.oneof(
    { weight: 4, arbitrary: fc.bigInt({ min: 1n, max: 300n }) },
    { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 10n ** 27n }) },
  ),
});

/** Random steps of several pools. */
export const poolHistory = fc.array(step, {
  minLength: HISTORY_STEPS,
  maxLength: HISTORY_STEPS,
  size: 'max',
});

/**
 * Runs the steps on new pools, checks every rule after each, and empties the pools at the end.
 * @returns how often each thing happened
 * @throws Error with the number of the broken rule
 */
export function runPoolHistory(steps: readonly PoolStep[]): Record<string, number> {
  const pools = Array.from({ length: POOLS }, (_, index) =>
    createPoolModel(`p${index}`, MEMBERS, {
      isCareless: index === 1,
      basis: index === 2 ? 'gross_winners' : 'net_carry',
    }),
  );
  for (const one of steps) {
    const pool = pools[one.pool];
    if (!pool) continue;
    try {
      DO[one.act](pool, one);
    } catch (error) {
      // The ledger refuses what is not there. The step has changed nothing in the books.
      if (!(error instanceof LedgerError && error.code === 'overdrawn')) throw error;
      note(pool, 'overdrawn');
    }
    checkPool(pool);
  }
  const seen: Record<string, number> = {};
  for (const pool of pools) {
    emptyPool(pool);
    for (const [what, count] of Object.entries(pool.seen)) seen[what] = (seen[what] ?? 0) + count;
  }
  return seen;
}
