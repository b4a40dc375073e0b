import { GatewayError } from '../../../integrations/exchanges/gateway.ts';
import type { PoolAccount } from '../../../integrations/exchanges/pool-records.ts';
import type { Keyring } from '../../../platform/crypto/keyring.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { openPoolKey } from './pool-key-box.ts';
import { listPoolKeys } from './pool-keys.store.ts';

/**
 * The exchange account of a pool, with its key. Keep it for one step only.
 * @throws GatewayError when there is no key that opens
 */
export async function poolAccountOf(
  { db, keyring }: { db: Database; keyring: Keyring },
  poolId: string,
): Promise<PoolAccount> {
  const secrets = openPoolKey(keyring, await db.read(WHOLE_SCOPE, (tx) => listPoolKeys(tx, [poolId])));
  if (!secrets) throw new GatewayError('invalid_credentials');
  return { key: poolId, credentials: { exchange: 'bybit', ...secrets } };
}
