import { createHash } from 'node:crypto';
import { parseUnits } from 'viem';

/** A trader's reaction to a message: payments, each after a delay, in base units. */
export interface PlannedPayment {
  afterMs: number;
  units: bigint;
  /** False: the trader sends another token, as people do. */
  isRightToken: boolean;
}

const ADDRESS = /0x[0-9a-fA-F]{40}/;
/** Direction marks may be between figure and unit. */
const AMOUNT = /(\d+(?:\.\d+)?)[^\d\n]{0,4}USDT/g;

/** The address and amount that a message asks for: the last amount before the address. Null: it asks for nothing. */
export function readDemand(text: string): { address: `0x${string}`; units: bigint } | null {
  const address = ADDRESS.exec(text);
  const amount = address && [...text.slice(0, address.index).matchAll(AMOUNT)].at(-1)?.[1];
  return amount ? { address: address[0] as `0x${string}`, units: parseUnits(amount, 18) } : null;
}

/**
 * How a trader pays: most exactly and soon, some in parts, late, too much or with another token, and some not at all.
 * The same message always causes the same payments.
 */
export function planPayments(messageKey: string, units: bigint): PlannedPayment[] {
  const [habit = 0, pace = 0] = createHash('sha256').update(messageKey).digest();
  const afterMs = 5_000 + pace * 150;
  const pay = (part: bigint, later = 0): PlannedPayment => ({
    afterMs: afterMs + later,
    units: part,
    isRightToken: true,
  });
  if (habit < 115) return [pay(units)];
  if (habit < 155) return [pay(units / 3n), pay(units - units / 3n, 30_000)];
  if (habit < 180) return [pay(units + units / 20n)];
  if (habit < 205) return [pay(units, 300_000)];
  if (habit < 218) return [{ ...pay(units), isRightToken: false }];
  return [];
}
