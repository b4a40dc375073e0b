import type { PoolState } from '../../../pools/pool-state.ts';

const DAYS = 90;
const DAY_MS = 86_400_000;

/** https://bybit-exchange.github.io/docs/v5/user/apikey-info: a key with addresses has no end. */
export function getPoolKeyInfo(pool: PoolState, now: number) {
  const isBound = pool.ips.length > 0;
  const iso = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '');
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
    deadlineDay: isBound ? -2 : DAYS,
    expiredAt: isBound ? '1970-01-01T00:00:00Z' : iso(now + DAYS * DAY_MS),
    createdAt: iso(now - DAY_MS),
    uta: 1,
    userID: Number(pool.uid),
    isMaster: pool.parentUid === null,
    parentUid: pool.parentUid ?? '0',
    kycLevel: 'LEVEL_1',
    kycRegion: '',
  };
}
