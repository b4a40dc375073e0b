import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { PoolAnswer } from '../exchange/exchange-requests.store.ts';
import { lockCycle, lookSoon } from '../harvest/cycles.store.ts';
import { findUid, isHeldElsewhere } from './pool-keys.store.ts';

/**
 * Replaces the key of a pool by another one of the same account, in any state: a key that expires or is revoked during
 * a harvest holds it up. The account is read again soon, and so is its cycle.
 * @param requestId whose answer, found harmless, this is: the key that was asked about is stored, and no other
 * @throws Refusal `not_found`, `pool_other_account`, `exchange_account_taken`
 */
export async function replaceKey(
  tx: WriteTx,
  { poolId, requestId, answer }: { poolId: string; requestId: string; answer: PoolAnswer },
): Promise<void> {
  const cycle = await lockCycle(tx, poolId);
  if (!cycle) throw new Refusal('not_found');
  // The money of the members lies in this account: with another one the books would name money that is not there.
  if ((await findUid(tx, poolId)) !== answer.uid) throw new Refusal('pool_other_account');
  // The pool was switched off: the account is a trader's or another pool's by now.
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
