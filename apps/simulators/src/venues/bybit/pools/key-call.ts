import type { PoolState } from '../../../pools/pool-state.ts';
import { KEY_DAYS, keyDate, keyEnd } from '../key-dates.ts';

const DAY_MS = 86_400_000;

/** https://bybit-exchange.github.io/docs/v5/user/apikey-info: a key with addresses has no end. */
export function getPoolKeyInfo(pool: PoolState, now: number) {
  const isBound = pool.ips.length > 0;
  return {
    id: String(Number(pool.uid) + 1_000_000),
    note: 'pool',
    apiKey: pool.apiKey,
    readOnly: pool.isReadOnly ? 1 : 0,
    secret: '',
    permissions: {
      ContractTrade: ['Order', 'Position'],
      Spot: ['SpotTrade'],
      Wallet: pool.walletPermissions,
      Options: [],
      Derivatives: ['DerivativesTrade'],
      Exchange: [],
      Earn: [],
      FiatP2P: [],
      FiatBitPay: [],
      BitCard: [],
      Affiliate: [],
      BlockTrade: [],
    },
    ips: isBound ? pool.ips : ['*'],
    type: 1,
    deadlineDay: isBound ? -2 : KEY_DAYS,
    expiredAt: isBound ? '1970-01-01T00:00:00Z' : keyEnd(now),
    createdAt: keyDate(now - DAY_MS),
    uta: 1,
    userID: Number(pool.uid),
    isMaster: pool.parentUid === null,
    parentUid: pool.parentUid ?? '0',
    kycLevel: 'LEVEL_1',
    kycRegion: '',
  };
}
