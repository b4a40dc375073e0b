import { apportion } from '../../money/apportion.ts';
import { mostOf } from '../../money/order-units.ts';

/** The capital of a member when the pool stopped harvesting. Base units. */
export interface FrozenShare {
  memberId: string;
  units: bigint;
}

export interface PoolAllocation {
  /** Every member's part of the result, by member id: above zero a profit, below zero a loss. */
  parts: { memberId: string; units: bigint }[];
  /** Change of the money with an unknown owner: only a pool without capital gives or takes it. */
  unexplainedUnits: bigint;
  /** The part of a loss that nothing covers: the pool has failed. Zero or more. */
  uncoveredUnits: bigint;
}

/**
 * Allocates the result of a cycle to the members, by largest remainder over their frozen shares; ties go by member id.
 * Parts, unexplained and uncovered units sum to the result exactly. A loss stops at a member's share, which is its
 * whole capital, because nothing moves between the freeze and the valuation.
 * @param resultUnits profit, or a loss below zero
 * @param unexplainedUnits money with an unknown owner, zero or more
 */
export function allocateResult(
  resultUnits: bigint,
  shares: readonly FrozenShare[],
  unexplainedUnits: bigint,
): PoolAllocation {
  // Stryker disable next-line EqualityOperator: a member has one share.
  const sorted = [...shares].sort((a, b) => (a.memberId < b.memberId ? -1 : 1));
  const capital = sorted.reduce((sum, { units }) => sum + units, 0n);
  if (capital === 0n) return allocateWithoutCapital(resultUnits, sorted, unexplainedUnits);
  const covered = mostOf(resultUnits, -capital);
  // Stryker disable next-line EqualityOperator: every part of nothing is nothing.
  const isLoss = covered < 0n;
  const units = apportion(
    isLoss ? -covered : covered,
    sorted.map((share) => share.units),
  );
  return {
    parts: sorted.map(({ memberId }, index) => {
      const part = units[index] ?? 0n;
      return { memberId, units: isLoss ? -part : part };
    }),
    unexplainedUnits: 0n,
    uncoveredUnits: covered - resultUnits,
  };
}

function allocateWithoutCapital(
  resultUnits: bigint,
  shares: readonly FrozenShare[],
  unexplainedUnits: bigint,
): PoolAllocation {
  const parts = shares.map(({ memberId }) => ({ memberId, units: 0n }));
  const taken = mostOf(resultUnits, -unexplainedUnits);
  return { parts, unexplainedUnits: taken, uncoveredUnits: taken - resultUnits };
}
