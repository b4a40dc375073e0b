/** The chain and token of payouts, and the amount above which a second person must approve. */
export interface PayoutSettings {
  chainId: number;
  tokenAddress: string;
  /** Base units; null: one person is enough for any amount. */
  approvalAboveUnits: bigint | null;
  /** Hours for which a changed payout address is held. */
  addressHoldHours: number;
  /** Minimum time that an approver has been a super admin, ms. */
  approverMinAgeMs: number;
}

export type PlanDeps = PayoutSettings & { now: () => Date };
