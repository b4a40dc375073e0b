import { leastOf, mostOf } from '../../money/order-units.ts';

/** How much coin a worker may order from the gas wallet, wei. */
export interface GasBounds {
  perTopup: bigint;
  /** All top-ups that were ordered within 24 hours. */
  perDay: bigint;
}

/**
 * The wei of a top-up: what all transfers of the wallet need, as far as the gas wallet and the bounds allow; and at
 * least what the first of them lacks.
 * @param short what the first transfer lacks
 * @param most what the gas wallet may give to one address; the first transfer may take more
 * @param orderedUnits wei of all top-ups of the last 24 hours
 * @returns null when the bounds do not allow even the first transfer: it waits
 */
export function sizeTopup(
  { needed, short, most }: { needed: bigint; short: bigint; most: bigint },
  { perTopup, perDay }: GasBounds,
  orderedUnits: bigint,
): bigint | null {
  const room = leastOf(perTopup, perDay - orderedUnits);
  if (short > room) return null;
  return mostOf(short, leastOf(leastOf(needed, most), room));
}
