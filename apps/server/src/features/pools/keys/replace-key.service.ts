import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { PoolAnswer } from '../exchange/exchange-requests.store.ts';
import { lockCycle, lookSoon } from '../harvest/cycles.store.ts';
import { findPoolRegion, findUid, isHeldElsewhere } from './pool-keys.store.ts';

/**
 * Replaces the key of a pool by another one of the same account, in any state: a key that expires or is
 * revoked during a harvest holds it up. The account is read again soon, and so is its cycle.
 * @param requestId the question whose answer this is, found harmless: exactly the key in that question is stored
 * @throws Refusal `not_found`, `pool_other_account`, `exchange_account_taken`
 */
export async function replaceKey(
  tx: WriteTx,
  { poolId, requestId, answer }: { poolId: string; requestId: string; answer: PoolAnswer },
): Promise<void> {
  const cycle = await lockCycle(tx, poolId);
  if (!cycle) throw new Refusal('not_found');
  // The members' money is in this account: with another one the books would name money that is not there.
  const isSame =
    (await findUid(tx, poolId)) === answer.uid && (await findPoolRegion(tx, poolId)) === answer.region;
  if (!isSame) throw new Refusal('pool_other_account');
  // The pool was switched off, and a trader or another pool holds the account now.
  if (await isHeldElsewhere(tx, poolId)) throw new Refusal('exchange_account_taken');
  await sql`SELECT app.replace_pool_key(${requestId})`.execute(tx.sql);
  await lookSoon(tx, cycle);
  tx.audit({
    action: 'pool.key_replaced',
    target: { kind: 'pool', id: poolId },
    after: {
      bybit_uid: answer.uid,
      permissions: answer.account?.permissions ?? [],
      ips: answer.account?.ips ?? [],
    },
  });
}
