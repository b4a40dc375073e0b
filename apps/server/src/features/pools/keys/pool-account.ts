import { GatewayError } from '../../../integrations/exchanges/gateway.ts';
import type { PoolAccount } from '../../../integrations/exchanges/pool-records.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { PoolKeyOpener } from './pool-key-opener.ts';
import { listPoolKeys } from './pool-keys.store.ts';

/**
 * The exchange account of a pool, with its key. Keep it for one step only.
 * @throws GatewayError when there is no key that opens
 */
export async function poolAccountOf(
  { db, poolKeys }: { db: Database; poolKeys: PoolKeyOpener },
  poolId: string,
): Promise<PoolAccount> {
  const secrets = await poolKeys.open(await db.read(WHOLE_SCOPE, (tx) => listPoolKeys(tx, [poolId])));
  if (!secrets) throw new GatewayError('invalid_credentials');
  return { key: poolId, credentials: { exchange: 'bybit', ...secrets } };
}
