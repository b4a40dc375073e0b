import { decimalToUnits } from '@copydesk/domain';
import type { Config } from '../config.ts';
import type { PayoutSettings } from '../features/payouts/plan-deps.ts';

/** Where, in what and from which amount on with a second person payouts are made. */
export function payoutSettings({
  chain,
  approvalAboveUsdt,
  approverMinHours,
  payouts,
}: Pick<Config, 'chain' | 'approvalAboveUsdt' | 'approverMinHours' | 'payouts'>): PayoutSettings {
  const { chainId, tokenAddress } = chain;
  return {
    chainId,
    tokenAddress,
    approvalAboveUnits: approvalAboveUsdt === null ? null : decimalToUnits(approvalAboveUsdt),
    addressHoldHours: payouts.addressHoldHours,
    approverMinAgeMs: approverMinHours * 3_600_000,
  };
}
