import { decimalToUnits } from '@copydesk/domain';
import type { Config } from '../config.ts';
import type { PayoutSettings } from '../features/payouts/plan-deps.ts';
import type { PoolTransferDeps } from '../features/pools/flows/plan-flows.ts';

/** The chain and token of payouts, and the amount above which a second person must approve. */
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

/** Where transfers of pools go, and how long a changed address waits. */
export function poolTransferSettings({
  chain,
  payouts,
}: Pick<Config, 'chain' | 'payouts'>): PoolTransferDeps {
  const { chainId, tokenAddress } = chain;
  return { chainId, tokenAddress, addressHoldHours: payouts.addressHoldHours };
}
