/** Where and in what is paid, and from when on a second person has to agree. */
export interface PayoutSettings {
  chainId: number;
  tokenAddress: string;
  /** Base units; null: one person is enough, whatever the amount. */
  approvalAboveUnits: bigint | null;
  /** Hours for which a changed payout address is held. */
  addressHoldHours: number;
  /** How long an approver must have been a super admin, ms. */
  approverMinAgeMs: number;
}

export type PlanDeps = PayoutSettings & { now: () => Date };
