import type { PoolKey } from '../../../integrations/exchanges/pool-records.ts';
import type { Keyring } from '../../../platform/crypto/keyring.ts';
import { violatedUnique } from '../../../platform/db/connection.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import { lockCycle, lookSoon } from '../harvest/cycles.store.ts';
import { type PoolKeySecrets, sealPoolKey } from './pool-key-box.ts';
import { findUid, readSoon, replacePoolKey } from './pool-keys.store.ts';

/**
 * Replaces the key of a pool by another one of the same account, in any state: a key that expires or is revoked during
 * a harvest holds it up. The account is read again soon, and so is its cycle.
 * @param key as the exchange described it, found harmless
 * @throws ApiError `not_found`, `pool_other_account`, `exchange_account_taken`
 */
export async function replaceKey(
  tx: WriteTx,
  keyring: Keyring,
  { poolId, secrets, key }: { poolId: string; secrets: PoolKeySecrets; key: PoolKey },
): Promise<void> {
  const cycle = await lockCycle(tx, poolId);
  if (!cycle) throw new ApiError('not_found');
  // The money of the members lies in this account: with another one the books would name money that is not there.
  if ((await findUid(tx, poolId)) !== key.uid) throw new ApiError('pool_other_account');
  try {
    await replacePoolKey(tx, sealPoolKey(keyring, poolId, secrets));
  } catch (error) {
    if (violatedUnique(error) === 'pool_key_once') throw new ApiError('exchange_account_taken');
    throw error;
  }
  await readSoon(tx, poolId);
  await lookSoon(tx, cycle);
  tx.audit({
    action: 'pool.key_replaced',
    target: { kind: 'pool', id: poolId },
    after: { bybit_uid: key.uid, permissions: key.permissions, ips: key.ips },
  });
}
