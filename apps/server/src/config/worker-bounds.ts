import type { GasBounds } from '@copydesk/domain/payouts';
import { TOPUP_ROOM, TRANSFER_GAS } from '../core/transfers/transfer-gas.ts';
import { StartError } from '../platform/process/start-error.ts';
import type { Environment } from './environment.ts';

/** Transfers at the highest price of gas for which one top-up pays, and all top-ups of a day. */
const TRANSFERS_OF_TOPUP = 50n;
const TRANSFERS_OF_DAY = 1_000n;
const WEI_PER_GWEI = 1_000_000_000n;

/** What a worker holds itself to besides the bounds of settings. */
export interface HardBounds {
  gas: GasBounds;
  /** The largest transfer of tokens, whole USDT; null: none. */
  hardMaxUsdt: number | null;
}

/** @throws StartError when bounds contradict each other */
export function hardBoundsOf(e: Environment): HardBounds {
  const perTransfer = TRANSFER_GAS * TOPUP_ROOM * BigInt(e.CHAIN_MAX_FEE_GWEI) * WEI_PER_GWEI;
  const perTopup = e.GAS_TOPUP_MAX_WEI ? BigInt(e.GAS_TOPUP_MAX_WEI) : perTransfer * TRANSFERS_OF_TOPUP;
  const perDay = e.GAS_PER_DAY_WEI ? BigInt(e.GAS_PER_DAY_WEI) : perTransfer * TRANSFERS_OF_DAY;
  const refuse = (why: string) => new StartError(`The configuration is wrong:\n  ${why}`);
  if (perDay < perTopup) throw refuse('GAS_PER_DAY_WEI: less than one top-up may be (GAS_TOPUP_MAX_WEI)');
  const hardMaxUsdt = e.PAYOUT_HARD_MAX ?? null;
  const max = e.PAYOUT_MAX_PER_TRANSACTION;
  if (hardMaxUsdt !== null && max !== undefined && hardMaxUsdt < max)
    throw refuse('PAYOUT_HARD_MAX: less than one payout may be (PAYOUT_MAX_PER_TRANSACTION)');
  return { gas: { perTopup, perDay }, hardMaxUsdt };
}
