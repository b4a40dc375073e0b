import type { TransferPurposes } from '../core/transfers/transfer-purpose.ts';
import { creditReturnPurpose } from '../features/invoices/payments/credit-return-purpose.ts';
import { PAYOUT_PURPOSES } from '../features/payouts/transfers/payout-purposes.ts';
import { POOL_PURPOSES } from '../features/pools/flows/pool-purposes.ts';

/** Every purpose of transfers. */
export const TRANSFER_PURPOSES: TransferPurposes = {
  ...PAYOUT_PURPOSES,
  ...POOL_PURPOSES,
  credit_return: creditReturnPurpose,
};
