import { randomUUID } from 'node:crypto';
import type { CallParsed } from '@copydesk/contract';
import { decimalToUnits, suggestsAll } from '@copydesk/domain';
import { orderPoolReturn } from '../../../core/transfers/ordered-transfers.store.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import { lockCycle } from '../harvest/cycles.store.ts';
import type { PoolTransferDeps } from './plan-flows.ts';
import { releaseWithdrawals } from './release-reservations.ts';
import * as store from './requests.store.ts';

type NewWithdrawal = CallParsed<'POST /api/pooled-accounts/{id}/withdrawals'>['body'];

/**
 * Stores a withdrawal of a member, in whatever state the pool is: it is reserved and paid once the pool is open. The same
 * key stores it once.
 * @throws ApiError `not_found`, `request_key_reused` for another request under the same key
 */
export async function requestWithdrawal(
  tx: WriteTx,
  poolId: string,
  { member_id: memberId, amount, request_key: requestKey }: NewWithdrawal,
): Promise<{ id: string; suggests_all: boolean }> {
  const cycle = await lockCycle(tx, poolId);
  const member = cycle && (await store.findMember(tx, poolId, memberId));
  if (!cycle || !member) throw new ApiError('not_found');
  const units = amount === 'all' ? null : decimalToUnits(amount);
  const request = { poolId, memberId, units, requestKey: requestKey ?? null };
  const id = await store.insertWithdrawal(tx, request);
  if (id === null) {
    const before = await store.findByKey(tx, requestKey as string);
    if (before?.memberId !== memberId || before.units !== units) throw new ApiError('request_key_reused');
    return { id: before.id, suggests_all: false };
  }
  await store.wakeCycle(tx, cycle.id);
  tx.audit({
    action: 'pool.withdrawal_requested',
    target: { kind: 'trader', id: member.traderId },
    after: { pooled_account_id: poolId, withdrawal_id: id, amount, request_key: requestKey ?? null },
  });
  return { id, suggests_all: units !== null && suggestsAll(units, member.availableUnits) };
}

/**
 * Cancels a withdrawal whose payment has not begun.
 * @throws ApiError `not_found`, `invalid_flow_status`
 */
export async function cancelWithdrawal(tx: WriteTx, poolId: string, withdrawalId: string): Promise<void> {
  await lockCycle(tx, poolId);
  const found = await store.lockWithdrawal(tx, poolId, withdrawalId);
  if (!found) throw new ApiError('not_found');
  if (found.state !== 'queued' && found.state !== 'reserved') throw new ApiError('invalid_flow_status');
  if (found.state === 'reserved') await releaseWithdrawals(tx, [found]);
  await store.noteCancelled(tx, withdrawalId);
  tx.audit({
    action: 'pool.withdrawal_cancelled',
    target: { kind: 'trader', id: found.traderId },
    after: { pooled_account_id: poolId, withdrawal_id: withdrawalId },
  });
}

/**
 * Orders the return of a deposit that the pool has not collected, in whatever state the pool is.
 * @throws ApiError `not_found`, `invalid_flow_status`, `wallet_not_ready`, `no_payout_address`, `address_held`
 */
export async function returnDeposit(
  tx: WriteTx,
  { chainId, tokenAddress, rules: { addressHoldHours } }: PoolTransferDeps,
  poolId: string,
  depositId: string,
): Promise<void> {
  const cycle = await lockCycle(tx, poolId);
  const found = cycle && (await store.lockDeposit(tx, poolId, depositId, { chainId, addressHoldHours }));
  if (!cycle || !found) throw new ApiError('not_found');
  if (found.state !== 'queued') throw new ApiError('invalid_flow_status');
  if (!found.walletId) throw new ApiError('wallet_not_ready');
  if (!found.toAddress) throw new ApiError('no_payout_address');
  if (found.isHeld) throw new ApiError('address_held');
  await orderPoolReturn(tx, { chainId, tokenAddress }, { id: randomUUID(), depositId });
  tx.audit({
    action: 'pool.deposit_return_ordered',
    target: { kind: 'trader', id: found.traderId },
    after: {
      pooled_account_id: poolId,
      deposit_id: depositId,
      to: found.toAddress,
      units: found.units.toString(),
    },
  });
}
