import type { PayoutRules } from '../../../core/settings/payout-rules.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import { lockSeen } from './act-on-cycle.service.ts';
import { saveApprovedAddress } from './deposit-address.store.ts';

const HOUR_MS = 3_600_000;

/**
 * Sets the address at the exchange that funding goes to. The first one is usable at once; a changed one after the
 * waiting time of payout addresses.
 * @throws ApiError `not_found`, `deposit_address_differs` when the exchange shows another one
 */
export async function setDepositAddress(
  tx: WriteTx,
  { now, rules: { addressHoldHours } }: { now: () => Date; rules: Pick<PayoutRules, 'addressHoldHours'> },
  poolId: string,
  address: string,
): Promise<void> {
  const { address: known } = await lockSeen(tx, poolId);
  const isSame = (other: string | null) => other?.toLowerCase() === address.toLowerCase();
  if (isSame(known.approved)) return;
  if (known.read !== null && !isSame(known.read)) throw new ApiError('deposit_address_differs');
  const at = now();
  const from = known.approved === null ? at : new Date(at.getTime() + addressHoldHours * HOUR_MS);
  await saveApprovedAddress(tx, poolId, { address, from });
  tx.audit({
    action: 'pool.deposit_address_set',
    target: { kind: 'pool', id: poolId },
    before: { bybit_deposit_address: known.approved },
    after: { bybit_deposit_address: address, usable_from: from.toISOString() },
  });
}
