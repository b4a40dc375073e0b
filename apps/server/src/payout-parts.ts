import { decimalToUnits } from '@copydesk/domain';
import type { Config } from './config.ts';
import { reserveAll, voidReservations } from './features/ledger/reservations.service.ts';
import type { PayoutDeps, PayoutSettings } from './features/payouts/payout-deps.ts';

/** What payouts are planned with: the ledger. */
export const PAYOUT_PARTS: PayoutDeps = {
  books: {
    reserve: reserveAll,
    release: voidReservations,
  },
};

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
