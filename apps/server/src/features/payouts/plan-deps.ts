import type { PayoutRules } from '../../core/settings/payout-rules.ts';

/** The chain and token of payouts, and the rules for them. */
export interface PayoutSettings {
  chainId: number;
  tokenAddress: string;
  rules: PayoutRules;
}

export type PlanDeps = PayoutSettings & { now: () => Date };
