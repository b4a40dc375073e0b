import type { SimulatedPools } from '../../../pools/create-pools.ts';
import { COIN_RULES } from '../../../pools/pool-money.ts';
import type { PoolState } from '../../../pools/pool-state.ts';
import type { VenueRequest } from '../../venue.ts';
import { refuse } from '../answers.ts';
import { page, readLimit, readSpan } from '../paging.ts';
import { amount } from './wallet-calls.ts';

const DAY_MS = 86_400_000;
/** The end minus the start has to be less than 30 days. */
const SPAN = { usualMs: 30 * DAY_MS - 1, mostMs: 30 * DAY_MS - 1 };
const CHAIN = 'BSC';

function requireMaster({ parentUid }: PoolState, now: number): void {
  if (parentUid !== null) throw refuse(10005, now);
}

function addressRow({ depositAddress, depositLimit, depositToken }: PoolState, token: string) {
  return {
    chainType: 'BSC (BEP20)',
    addressDeposit: depositAddress,
    tagDeposit: '',
    chain: CHAIN,
    batchReleaseLimit: depositLimit === undefined ? '-1' : amount(depositLimit),
    contractAddress: (depositToken ?? token).slice(-6),
  };
}

function requireUsdt({ params }: VenueRequest, now: number): void {
  const chain = params.get('chainType');
  if (params.get('coin') !== 'USDT') throw refuse(131002, now, 'coin');
  if (chain !== null && chain !== CHAIN) throw refuse(131002, now, 'chainType');
}

/** https://bybit-exchange.github.io/docs/v5/asset/deposit/master-deposit-addr */
export function getDepositAddress(
  pools: SimulatedPools,
  request: VenueRequest,
  pool: PoolState,
  now: number,
) {
  requireMaster(pool, now);
  requireUsdt(request, now);
  return { coin: 'USDT', chains: [addressRow(pool, pools.token)] };
}

/** https://bybit-exchange.github.io/docs/v5/asset/deposit/sub-deposit-addr: a single object, not a list. */
export function getSubDepositAddress(
  pools: SimulatedPools,
  request: VenueRequest,
  pool: PoolState,
  now: number,
) {
  requireMaster(pool, now);
  requireUsdt(request, now);
  const sub = pools.list().find(({ uid }) => uid === request.params.get('subMemberId'));
  if (!sub || sub.parentUid !== pool.uid) throw refuse(131209, now);
  return { coin: 'USDT', chains: addressRow(sub, pools.token) };
}

/** Both ends count in whole seconds. */
function isWithin(ms: number, { from, to }: { from: number; to: number }): boolean {
  const second = (at: number) => Math.floor(at / 1_000);
  return second(ms) >= second(from) && second(ms) <= second(to);
}

/** https://bybit-exchange.github.io/docs/v5/asset/deposit/deposit-record, newest first. */
export function listDeposits(request: VenueRequest, pool: PoolState, now: number) {
  const { params } = request;
  const { from, to } = readSpan(request, SPAN, now);
  const txId = params.get('txID');
  const rows = pool.deposits
    .filter(({ createdAt, listedAt }) => listedAt <= now && isWithin(createdAt, { from, to }))
    .filter((one) => !txId || one.txId === txId)
    .reverse()
    .map((one) => ({
      id: one.id,
      coin: 'USDT',
      chain: CHAIN,
      amount: amount(one.units),
      txID: one.txId,
      status: one.status,
      toAddress: pool.depositAddress,
      tag: '',
      depositFee: '',
      successAt: one.successAt === null ? '' : String(one.successAt),
      confirmations: String(one.confirmations),
      txIndex: '0',
      blockHash: '',
      batchReleaseLimit: '-1',
      depositType: one.depositType,
      fromAddress: one.fromAddress,
      taxDepositRecordsId: '0',
      taxStatus: 0,
    }));
  return rowsOf(page(rows, readLimit(request, 50, 50, now), request, now));
}

/** https://bybit-exchange.github.io/docs/v5/asset/withdraw/withdraw-record, newest first, for master keys only. */
export function listWithdrawals(request: VenueRequest, pool: PoolState, now: number) {
  requireMaster(pool, now);
  const { from, to } = readSpan(request, SPAN, now);
  const rows = pool.withdrawals
    .filter(({ createdAt }) => createdAt >= from && createdAt <= to)
    .reverse()
    .map((one) => ({
      withdrawId: one.id,
      coin: 'USDT',
      chain: CHAIN,
      amount: amount(one.units),
      txID: one.txId,
      status: one.status,
      toAddress: one.toAddress,
      tag: '',
      withdrawFee: amount(one.fee),
      createTime: String(one.createdAt),
      updateTime: String(one.updatedAt),
      withdrawType: 0,
      fee: '',
      tax: '0',
      taxRate: '0',
      taxType: '',
    }));
  return rowsOf(page(rows, readLimit(request, 50, 50, now), request, now));
}

const rowsOf = <T>({ list, nextPageCursor }: { list: T[]; nextPageCursor: string }) => ({
  rows: list,
  nextPageCursor,
});

/** https://bybit-exchange.github.io/docs/v5/asset/coin-info */
export function getCoinInfo(pools: SimulatedPools, { params }: VenueRequest, pool: PoolState, now: number) {
  if (params.get('coin') !== 'USDT') throw refuse(131002, now, 'coin');
  const stateOf = (what: 'deposits' | 'withdrawals') => (pool.suspended?.includes(what) ? '0' : '1');
  const chain = {
    chainDeposit: stateOf('deposits'),
    chainWithdraw: stateOf('withdrawals'),
    withdrawPercentageFee: '0',
    withdrawMax: '-1',
    depositMin: amount(COIN_RULES.depositMin),
    withdrawMin: amount(COIN_RULES.withdrawMin),
    withdrawFee: amount(COIN_RULES.withdrawFee),
    minAccuracy: String(COIN_RULES.accuracy),
    confirmation: String(COIN_RULES.confirmations),
    safeConfirmNumber: String(COIN_RULES.safeConfirmations),
  };
  return {
    rows: [
      {
        name: 'USDT',
        coin: 'USDT',
        remainAmount: '10000000',
        chains: [
          {
            ...chain,
            chain: 'ETH',
            chainType: 'Ethereum (ERC20)',
            withdrawFee: '4',
            contractAddress: '0xdac1',
          },
          {
            ...chain,
            chain: CHAIN,
            chainType: 'BSC (BEP20)',
            contractAddress: pool.depositToken ?? pools.token,
          },
        ],
      },
    ],
  };
}
