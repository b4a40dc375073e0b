import type { SimulatedPools } from '../../pools/create-pools.ts';
import type { PoolState } from '../../pools/pool-state.ts';
import type { WorldAccount, WorldAccounts } from '../../world/index.ts';
import type { KeyHolder } from './authenticate.ts';

/** The account behind a key: a trader's, or a pool's. */
export type BybitAccount = KeyHolder & { uid: string; id: string } & (
    | { kind: 'trader'; account: WorldAccount }
    | { kind: 'pool'; pool: PoolState }
  );

/** Finds accounts by their API key. */
export function createBybitAccounts(
  accounts: WorldAccounts,
  pools: SimulatedPools | undefined,
): (apiKey: string) => BybitAccount | null {
  return (apiKey) => {
    const pool = pools?.findByApiKey(apiKey);
    if (pool) {
      const { uid, secretKey, ips } = pool;
      return { kind: 'pool', pool, uid, id: `pool ${uid}`, secretKey, ips, isRevoked: false };
    }
    const account = accounts.findByApiKey('bybit', apiKey);
    const credentials = account && accounts.credentialsOf(account);
    if (!account || credentials?.exchange !== 'bybit') return null;
    const { accUid: uid, id, traits } = account;
    const { secretKey } = credentials;
    return {
      kind: 'trader',
      account,
      uid,
      id,
      secretKey,
      ips: traits.ipWhitelist,
      isRevoked: traits.isRevoked,
    };
  };
}
