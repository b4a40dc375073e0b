import { createHash } from 'node:crypto';
import type { PoolDeposit, PoolState, PoolTransfer, PoolWithdrawal } from './pool-state.ts';

const USDT = 10n ** 18n;

/** The venue's rules for USDT on BNB Smart Chain in the demo world. */
export const COIN_RULES = {
  depositMin: USDT / 100n,
  withdrawMin: 2n * USDT,
  withdrawFee: (3n * USDT) / 10n,
  /** Decimals of an amount. */
  accuracy: 8,
  confirmations: 3,
  safeConfirmations: 5,
};
const STEP = 10n ** BigInt(18 - COIN_RULES.accuracy);

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
/** A hash in the form of a transaction's. */
export const madeUpHash = (text: string): string => `0x${digest(text)}`;
const numberOf = (text: string) => String(Number.parseInt(digest(text).slice(0, 12), 16));

export const cutToAccuracy = (units: bigint): bigint => units - (units % STEP);
/** Whether the venue can represent an amount. */
const isAccurate = (units: bigint): boolean => units % STEP === 0n;

/** The account's own money in both wallets. */
export const ownUnits = ({ funding, unified, bonus }: PoolState): bigint => funding + unified - bonus;

/** Books a change of the unified wallet. */
export function logChange(
  pool: PoolState,
  entry: { type: string; cashFlow?: bigint; funding?: bigint; fee?: bigint; at: number },
): void {
  const { type, cashFlow = 0n, funding = 0n, fee = 0n, at } = entry;
  pool.unified += cashFlow + funding - fee;
  const id = `${pool.uid}_${type}_${pool.log.length}`;
  pool.log.push({ id, type, cashFlow, funding, fee, cashBalance: pool.unified, at });
}

/** Adds a deposit that the chain has, not credited yet. */
export function addDeposit(
  pool: PoolState,
  from: Pick<PoolDeposit, 'txId' | 'units' | 'block' | 'fromAddress'> & { at: number; key: string },
): PoolDeposit {
  const { txId, units, block, fromAddress, at, key } = from;
  const deposit: PoolDeposit = {
    id: numberOf(`deposit ${pool.uid} ${key}`),
    txId,
    fromAddress,
    units,
    status: 1,
    depositType: '0',
    confirmations: 0,
    block,
    createdAt: at,
    listedAt: at,
    successAt: null,
  };
  pool.deposits.push(deposit);
  return deposit;
}

export function creditDeposit(pool: PoolState, deposit: PoolDeposit, at: number): void {
  deposit.status = 3;
  deposit.depositType = '0';
  deposit.successAt = at;
  if (pool.depositsTo === 'unified') logChange(pool, { type: 'TRANSFER_IN', cashFlow: deposit.units, at });
  else pool.funding += deposit.units;
}

/** The venue's refusal of a withdrawal on its website. */
export type WithdrawalRefusal = 'below the minimum' | 'not that much there';

/**
 * Takes a withdrawal from the funding wallet first, then from the unified one, with its fee. It is not sent yet.
 * @returns the record, or why there is none
 */
export function takeWithdrawal(
  pool: PoolState,
  { toAddress, units, at }: { toAddress: string; units: bigint; at: number },
): PoolWithdrawal | WithdrawalRefusal {
  const fee = COIN_RULES.withdrawFee;
  if (units < COIN_RULES.withdrawMin) return 'below the minimum';
  if (units + fee > ownUnits(pool)) return 'not that much there';
  const missing = units + fee - pool.funding;
  const unified = missing > 0n ? missing : 0n;
  const funding = units + fee - unified;
  pool.funding -= funding;
  if (unified > 0n) logChange(pool, { type: 'TRANSFER_OUT', cashFlow: -unified, at });
  const withdrawal: PoolWithdrawal = {
    id: numberOf(`withdrawal ${pool.uid} ${pool.withdrawals.length}`),
    toAddress,
    units,
    fee,
    status: 'Pending',
    txId: '',
    rawTransaction: null,
    isHeld: false,
    taken: { funding, unified },
    createdAt: at,
    updatedAt: at,
  };
  pool.withdrawals.push(withdrawal);
  return withdrawal;
}

/** Ends a withdrawal without sending it: everything goes back. */
export function refundWithdrawal(
  pool: PoolState,
  withdrawal: PoolWithdrawal,
  { status, at }: { status: 'Reject' | 'Fail' | 'CancelByUser'; at: number },
): void {
  withdrawal.status = status;
  withdrawal.updatedAt = at;
  pool.funding += withdrawal.taken.funding;
  if (withdrawal.taken.unified > 0n)
    logChange(pool, { type: 'TRANSFER_IN', cashFlow: withdrawal.taken.unified, at });
}

/** The codes of https://bybit-exchange.github.io/docs/v5/error#asset. */
export type MoveRefusal = 131210 | 131212 | 131214 | 131215;

/** Moves money from the funding to the unified wallet, once for an id; a failing move is listed and moves nothing. */
export function moveToUnified(
  pool: PoolState,
  { transferId, units, at, isFailing }: { transferId: string; units: bigint; at: number; isFailing: boolean },
): PoolTransfer | MoveRefusal {
  if (pool.transfers.some((one) => one.transferId === transferId)) return 131214;
  if (units <= 0n) return 131215;
  if (!isAccurate(units)) return 131210;
  if (units > pool.funding) return 131212;
  if (!isFailing) {
    pool.funding -= units;
    logChange(pool, { type: 'TRANSFER_IN', cashFlow: units, at });
  }
  const transfer: PoolTransfer = { transferId, units, status: isFailing ? 'FAILED' : 'SUCCESS', at };
  pool.transfers.push(transfer);
  return transfer;
}
