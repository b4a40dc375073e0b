import type { FrozenShare, PoolAllocation } from '@copydesk/domain/pools';
import { balanceOf, capitalOf, type PoolModel, reservedOf, totalCapital } from './pool-model.ts';

const gapOf = (a = 0n, b = 0n) => (a > b ? a - b : b - a);

function require(pool: PoolModel, holds: boolean, rule: string): void {
  if (!holds) throw new Error(`${rule}: pool ${pool.id}, cycle ${pool.cycle}, ${JSON.stringify(pool.state)}`);
}

/** The rules that hold after every step. The numbers are those of the pools' invariants. */
export function checkPool(pool: PoolModel): void {
  const held =
    balanceOf(pool, 'pool_proxy') +
    balanceOf(pool, 'pool_transit') +
    balanceOf(pool, 'pool_exchange') +
    balanceOf(pool, 'pool_shortfall');
  const owed =
    balanceOf(pool, 'pool_returned') + balanceOf(pool, 'pool_fees_due') + balanceOf(pool, 'pool_unexplained');
  const capital = totalCapital(pool);
  require(pool, capital === held - owed, '1 capital is what is held less what is owed');
  if (pool.state.status === 'harvesting')
    for (const kind of ['pool_transit', 'pool_exchange', 'pool_returned'] as const)
      require(pool, balanceOf(pool, kind) === 0n, `2 ${kind} is 0 while harvesting`);
  require(pool, balanceOf(pool, 'pool_proxy') === pool.outside.proxyUnits, '11 proxy on chain');
  for (const member of pool.members) {
    const { id, carryUnits, inUnits, allocatedUnits, feeUnits, outUnits } = member;
    const own = capitalOf(pool, id);
    require(pool, own >= reservedOf(pool, id), '4 reservations are within the capital');
    require(pool, carryUnits >= 0n, '4 no carry below zero');
    if (pool.bookings.length === 0)
      require(pool, inUnits + allocatedUnits - feeUnits - outUnits === own, '5 the sums of a member');
    const onChain = pool.outside.depositUnits.get(id) ?? 0n;
    const wallet = pool.balances.get(`pool_deposit_wallet ${id} USDT`) ?? 0n;
    const pending = pool.balances.get(`pool_pending ${id} USDT`) ?? 0n;
    require(pool, wallet === onChain && pending === wallet, '11 deposit address on chain');
  }
}

/** The rules of an allocation: it sums to the result, each part is within a unit of exact, equals get the same. */
export function checkAllocation(
  pool: PoolModel,
  result: bigint,
  shares: readonly FrozenShare[],
  { parts, unexplainedUnits, uncoveredUnits }: PoolAllocation,
): void {
  const sum = parts.reduce((total, { units }) => total + units, 0n);
  require(pool, sum + unexplainedUnits - uncoveredUnits === result, '3 allocations sum to the result');
  const total = shares.reduce((all, { units }) => all + units, 0n);
  const shareOf = new Map(shares.map(({ memberId, units }) => [memberId, units]));
  const ofEquals = new Map<bigint, bigint[]>();
  for (const { memberId, units } of parts) {
    const share = shareOf.get(memberId) ?? 0n;
    const off = units * total - sum * share;
    require(pool, total === 0n || (off < total && -off < total), '3 a part is within a unit of exact');
    const equals = ofEquals.get(share) ?? [];
    if (!equals.includes(units)) equals.push(units);
    ofEquals.set(share, equals);
  }
  for (const [one, other = one, ...more] of ofEquals.values())
    require(pool, more.length === 0 && gapOf(one, other) <= 1n, '8 equal capitals differ by a unit at most');
}

/** Everybody has left: nothing remains. */
export function checkEmpty(pool: PoolModel): void {
  require(pool, totalCapital(pool) === 0n, '13 everybody got everything');
  for (const kind of [
    'pool_proxy',
    'pool_transit',
    'pool_exchange',
    'pool_shortfall',
    'pool_returned',
    'pool_fees_due',
    'pool_unexplained',
  ] as const)
    require(pool, balanceOf(pool, kind) === 0n, `13 ${kind} ends at 0`);
  require(pool, pool.withdrawals.every(
    ({ reservedUnits }) => reservedUnits === 0n,
  ), '13 no reservation is left');
}
