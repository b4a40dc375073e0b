import { formatUnits, parseUnits } from 'viem';
import type { SimulatedPools } from '../../../pools/create-pools.ts';
import type { PoolState } from '../../../pools/pool-state.ts';
import type { VenueRequest } from '../../venue.ts';
import { refuse } from '../answers.ts';
import { readSpan } from '../paging.ts';

export const amount = (units: bigint): string => formatUnits(units, 18);

const WEEK_MS = 7 * 86_400_000;

/** https://bybit-exchange.github.io/docs/v5/account/wallet-balance: coins without assets and debts are left out. */
export function getPoolWallet({ params }: VenueRequest, pool: PoolState, now: number) {
  if (params.get('accountType') !== 'UNIFIED') throw refuse(10001, now, 'accountType only support UNIFIED');
  const unified = amount(pool.unified);
  const coins = pool.otherCoins.filter(({ wallet }) => wallet === 'unified');
  return {
    list: [
      {
        accountType: 'UNIFIED',
        totalEquity: unified,
        totalWalletBalance: unified,
        totalMarginBalance: unified,
        totalAvailableBalance: unified,
        totalPerpUPL: '0',
        totalInitialMargin: '0',
        totalMaintenanceMargin: '0',
        coin: [
          ...(pool.unified === 0n
            ? []
            : [{ ...coinRow('USDT', unified, unified), bonus: amount(pool.bonus) }]),
          ...coins.map(({ coin, amount: held, usd }) => coinRow(coin, held, usd)),
        ],
      },
    ],
  };
}

const coinRow = (coin: string, held: string, usdValue: string) => ({
  coin,
  equity: held,
  usdValue,
  walletBalance: held,
  bonus: '0',
  unrealisedPnl: '0',
  // The venue borrows what a wallet lacks.
  borrowAmount: held.startsWith('-') ? held.slice(1) : '0',
  spotBorrow: '0',
  locked: '0',
  accruedInterest: '0',
  marginCollateral: true,
  collateralSwitch: true,
});

/** https://bybit-exchange.github.io/docs/v5/asset/balance/all-balance */
export function getFundingBalance({ params }: VenueRequest, pool: PoolState, now: number) {
  if (params.get('accountType') !== 'FUND') throw refuse(131002, now, 'accountType');
  const bonus = params.get('withBonus') === '1' ? '0' : '';
  const row = (coin: string, held: string) => ({ coin, transferBalance: held, walletBalance: held, bonus });
  const others = pool.otherCoins.filter(({ wallet }) => wallet === 'funding');
  return {
    memberId: pool.uid,
    accountType: 'FUND',
    balance: [
      ...(pool.funding === 0n ? [] : [row('USDT', amount(pool.funding))]),
      ...others.map(({ coin, amount: held }) => row(coin, held)),
    ],
  };
}

/** https://bybit-exchange.github.io/docs/v5/asset/transfer/create-inter-transfer, from funding to unified only. */
export function createTransfer(
  pools: SimulatedPools,
  { body }: VenueRequest,
  { uid, walletPermissions, isReadOnly }: PoolState,
  now: number,
) {
  if (isReadOnly || !walletPermissions.includes('AccountTransfer')) throw refuse(10005, now);
  const { transferId, coin, amount: text, fromAccountType, toAccountType } = parse(body, now);
  if (typeof transferId !== 'string' || !/^[0-9a-f-]{36}$/i.test(transferId))
    throw refuse(131002, now, 'transferId');
  if (coin !== 'USDT' || fromAccountType !== 'FUND' || toAccountType !== 'UNIFIED')
    throw refuse(131002, now, 'only USDT from FUND to UNIFIED here');
  if (typeof text !== 'string' || !/^\d+(\.\d{1,18})?$/.test(text)) throw refuse(131215, now);
  const moved = pools.move(uid, { transferId, units: parseUnits(text, 18) });
  if (typeof moved === 'number') throw refuse(moved, now);
  return { transferId: moved.transferId, status: moved.status };
}

function parse(body: string, now: number): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    throw refuse(131002, now, 'JSON');
  }
}

/** https://bybit-exchange.github.io/docs/v5/asset/transfer/inter-transfer-list: the last 7 days by default. */
export function listTransfers(request: VenueRequest, pool: PoolState, now: number) {
  const { from, to } = readSpan(request, { usualMs: WEEK_MS, mostMs: WEEK_MS }, now);
  const id = request.params.get('transferId');
  return {
    list: pool.transfers
      .filter(({ transferId, at }) => (!id || transferId === id) && at >= from && at <= to)
      .map(({ transferId, units, status, at }) => ({
        transferId,
        coin: 'USDT',
        amount: amount(units),
        fromAccountType: 'FUND',
        toAccountType: 'UNIFIED',
        timestamp: String(at),
        status,
      })),
    nextPageCursor: '',
  };
}
