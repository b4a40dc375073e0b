import { GatewayError } from '../../../integrations/exchanges/gateway.ts';
import type { PoolAccount } from '../../../integrations/exchanges/pool-records.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { PoolKeyOpener } from './pool-key-opener.ts';
import { findPoolRegion, listPoolKeys } from './pool-keys.store.ts';

/** The exchange account of a pool, with its key. Keep it for one step only. Null: there is no key that opens. */
export async function findPoolAccount(
  { db, poolKeys }: { db: Database; poolKeys: PoolKeyOpener },
  poolId: string,
): Promise<PoolAccount | null> {
  const { sealed, region } = await db.read(WHOLE_SCOPE, async (tx) => ({
    sealed: await listPoolKeys(tx, [poolId]),
    region: await findPoolRegion(tx, poolId),
  }));
  const secrets = await poolKeys.open(sealed);
  return secrets && { key: poolId, credentials: { exchange: 'bybit', ...secrets }, region };
}

/** @throws GatewayError when there is no key that opens */
export async function poolAccountOf(
  deps: { db: Database; poolKeys: PoolKeyOpener },
  poolId: string,
): Promise<PoolAccount> {
  const account = await findPoolAccount(deps, poolId);
  if (!account) throw new GatewayError('invalid_credentials');
  return account;
}
