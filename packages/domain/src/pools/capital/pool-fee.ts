import { leastOf } from '../../money/order-units.ts';
import { decimalToUnits } from '../../money/token-units.ts';

/**
 * The basis of a member's commission: its part of the result after earlier losses are made up, or its part of the
 * profitable positions without regard to the others.
 */
export const POOL_FEE_BASES = ['net_carry', 'gross_winners'] as const;
export type PoolFeeBasis = (typeof POOL_FEE_BASES)[number];

/** A member's figures after its part of a result is in its capital. Amounts are base units, zero or more. */
export interface FeeFacts {
  /** Its part of the result; below zero a loss. */
  allocatedUnits: bigint;
  /** Its part of the profit of profitable positions; only the basis `gross_winners` uses it. */
  winnersUnits: bigint;
  /** Losses to make up before a fee is due. */
  carryUnits: bigint;
  /** After the allocation. */
  capitalUnits: bigint;
}

/** A fraction, 0 to 1, ready for many members. Base units of one. */
export type CommissionRate = bigint & { readonly commissionRate: unique symbol };

const WHOLE = 10n ** 18n;

/** @param fraction a decimal string from 0 to 1, at most 18 decimals @throws RangeError for any other */
export function readCommissionRate(fraction: string): CommissionRate {
  const rate = decimalToUnits(fraction);
  if (rate === null || rate < 0n || rate > WHOLE)
    throw new RangeError(`a commission rate from 0 to 1: ${fraction}`);
  return rate as CommissionRate;
}

/** The fee of a cycle, rounded down in the member's favour, and the carry after it. */
export function decideFee(
  { allocatedUnits, winnersUnits, carryUnits, capitalUnits }: FeeFacts,
  basis: PoolFeeBasis,
  rate: CommissionRate,
): { feeUnits: bigint; carryUnits: bigint } {
  // The capital limits it: winning positions do not help a member whose capital the losing ones took.
  if (basis === 'gross_winners')
    return { feeUnits: leastOf((winnersUnits * rate) / WHOLE, capitalUnits), carryUnits };
  // Of a loss everything is used: it leaves no fee, and adds to the carry.
  const usedUnits = leastOf(allocatedUnits, carryUnits);
  return {
    feeUnits: ((allocatedUnits - usedUnits) * rate) / WHOLE,
    carryUnits: carryUnits - usedUnits,
  };
}

/**
 * The carry when a pool stops: cut in proportion to the capital that left. Once a cycle, so the number and the order of
 * withdrawals change nothing.
 * @param openingUnits the member's capital when the pool opened, before deposits and withdrawals
 */
export function cutCarry(carryUnits: bigint, withdrawnUnits: bigint, openingUnits: bigint): bigint {
  if (openingUnits === 0n) return carryUnits;
  return carryUnits - (carryUnits * leastOf(withdrawnUnits, openingUnits)) / openingUnits;
}
