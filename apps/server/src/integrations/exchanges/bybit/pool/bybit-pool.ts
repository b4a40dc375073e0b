import type { PoolAccount } from '../../pool-records.ts';
import type { PoolReadOptions, PoolVenue } from '../../pool-venue.ts';
import type { Session } from '../../venue.ts';
import { unlessClassic } from '../bybit-classic.ts';
import { readBybitHistory } from '../bybit-history.ts';
import { findBybitDepositAddress } from './pool-addresses.ts';
import { readBybitBalances } from './pool-balances.ts';
import { readBybitCoinRules } from './pool-coin.ts';
import { listBybitDeposits } from './pool-deposits.ts';
import { BYBIT_POOL } from './pool-endpoints.ts';
import { countBybitOrders, listBybitHoldings } from './pool-holdings.ts';
import { readBybitPoolKey } from './pool-key.ts';
import { sumBybitLog } from './pool-log.ts';
import { findBybitTransfer, moveBybitToUnified } from './pool-moves.ts';
import { listBybitWithdrawals } from './pool-withdrawals.ts';

/** Runs one call of a pool: it opens the session, keeps the deadline, and lets only GatewayErrors through. */
export type RunForPool = <T>(
  account: PoolAccount,
  options: PoolReadOptions,
  run: (session: Session) => Promise<T>,
) => Promise<T>;

/** Asks the main platform, and those of regions where it does not know the key. */
type AskHome = <T>(askAt: (region: string | null) => Promise<T>) => Promise<T>;

/** The pool's calls over sessions of the gateway. */
export function createBybitPools(run: RunForPool, askHome: AskHome): PoolVenue {
  const read = <T extends object>(
    account: PoolAccount,
    options: PoolReadOptions,
    take: (session: Session) => Promise<T>,
  ) =>
    run(account, options, async (session) => {
      const readAt = session.now();
      return { ...(await take(session)), readAt };
    });

  const readKey: PoolVenue['readKey'] = async (account, options) => ({
    ...(await read(account, options, async (session) =>
      readBybitPoolKey(await session.call(BYBIT_POOL.keyInfo)),
    )),
    region: account.region ?? null,
  });

  return {
    readKey,
    findKey: (account, options) => askHome((region) => readKey({ ...account, region }, options)),
    readDepositAddress: (account, target, options) =>
      read(account, options, (session) => findBybitDepositAddress(session, target)),
    listDeposits: (account, filter, options) =>
      read(account, options, async (session) => ({ deposits: await listBybitDeposits(session, filter) })),
    listWithdrawals: (account, span, options) =>
      read(account, options, async (session) => ({ withdrawals: await listBybitWithdrawals(session, span) })),
    readBalances: (account, options) => read(account, options, readBybitBalances),
    moveToUnified: (account, move, options) =>
      run(account, options, (session) => moveBybitToUnified(session, move)),
    findTransfer: (account, transferId, options) =>
      run(account, options, (session) => findBybitTransfer(session, transferId)),
    listPositions: (account, options) =>
      read(account, options, async (session) => ({ positions: await listBybitHoldings(session) })),
    countOpenOrders: (account, options) =>
      read(account, options, async (session) => ({ count: await countBybitOrders(session) })),
    listClosedPnl: (account, { cursor, ...span }, options) =>
      run(account, options, (session) =>
        unlessClassic(session, () => readBybitHistory(session, span, cursor ?? null)),
      ),
    sumTransactionLog: (account, span, options) =>
      read(account, options, (session) => sumBybitLog(session, span)),
    readCoin: (account, options) => read(account, options, readBybitCoinRules),
  };
}
