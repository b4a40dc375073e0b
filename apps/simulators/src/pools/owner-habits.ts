/**
 * How a pool's owner reacts to a harvest. `too_little` leaves half, `wrong_address` sends everything elsewhere, and
 * `twice` sends the same amount again from a wallet of the owner's own.
 */
export const OWNER_HABITS = [
  'prompt',
  'late',
  'in_parts',
  'too_little',
  'wrong_address',
  'twice',
  'never',
] as const;
export type OwnerHabit = (typeof OWNER_HABITS)[number];

export interface PlannedReturn {
  /** From the message. */
  afterMs: number;
  /** Part of the balance at the message; `rest` is the whole balance at that moment. */
  units: bigint | 'rest';
  /** False: to an address that the message does not have. */
  isRightAddress: boolean;
  /** False: from the owner's own wallet, so the venue has no record of it. */
  isFromAccount: boolean;
}

const PROMPT_MS = 10_000;
const LATE_MS = 300_000;
const BETWEEN_MS = 30_000;

/**
 * The owner's returns of a balance, each after a delay.
 * @param units the account's own money, in base units
 */
export function planReturns(habit: OwnerHabit, units: bigint): PlannedReturn[] {
  const plan = (nth: number, over: Partial<PlannedReturn> = {}): PlannedReturn => ({
    afterMs: PROMPT_MS + nth * BETWEEN_MS,
    units: 'rest',
    isRightAddress: true,
    isFromAccount: true,
    ...over,
  });
  switch (habit) {
    case 'prompt':
      return [plan(0)];
    case 'late':
      return [plan(0, { afterMs: LATE_MS })];
    case 'in_parts':
      return [plan(0, { units: units / 3n }), plan(1, { units: units / 3n }), plan(2)];
    case 'too_little':
      return [plan(0, { units: units / 2n })];
    case 'wrong_address':
      return [plan(0, { isRightAddress: false })];
    case 'twice':
      return [plan(0), plan(1, { units, isFromAccount: false })];
    case 'never':
      return [];
  }
}
