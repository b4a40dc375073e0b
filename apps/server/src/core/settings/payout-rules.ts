/**
 * The platform settings that decide about payouts. There is one object of them in a process, kept up to date in place:
 * read a field where it is used, and never copy it.
 */
export interface PayoutRules {
  /** Base units; null: one person is enough for any amount. */
  approvalAboveUnits: bigint | null;
  /** The largest payout, base units; null: any. */
  maximumUnits: bigint | null;
  /** The smallest payout of a payout run, base units. */
  minimumUnits: bigint;
  /** Base units that one person may write off within 24 hours; null: any. */
  writeOffAboveUnits: bigint | null;
  /** Hours for which a changed payout address is held. */
  addressHoldHours: number;
  /** Minimum time that an approver has been a super admin, ms. */
  approverMinAgeMs: number;
}
