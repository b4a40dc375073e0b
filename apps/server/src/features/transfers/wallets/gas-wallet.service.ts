import type { CallAnswer } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain/money';
import { recentCostWei } from '../../../core/transfers/recent-fee.views.ts';
import { TOPUP_ROOM, TRANSFER_GAS } from '../../../core/transfers/transfer-gas.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { findGasWallet } from './gas-wallet.views.ts';

type Answer = CallAnswer<'GET /api/super-admin/gas-wallet'>['data'];

const WEI_PER_GWEI = 1e9;
const TOPUP_GAS = 21_000n;
/** Most token transfers need coin first, which is ordered with a margin of the same size. */
const GAS_WITH_TOPUP = TOPUP_GAS + TRANSFER_GAS * TOPUP_ROOM;

/**
 * The gas wallet, and how many transfers it pays for.
 * @param maxFeeGwei gas price above which nothing is signed: the basis before a transaction of ours was mined
 */
export async function readGasWallet(tx: Tx, maxFeeGwei: number): Promise<Answer> {
  const wallet = await findGasWallet(tx);
  const recent = await recentCostWei(tx);
  const perTransfer = recent ?? GAS_WITH_TOPUP * BigInt(Math.round(maxFeeGwei * WEI_PER_GWEI));
  const wei = wallet?.wei == null ? null : BigInt(wallet.wei);
  return {
    address: wallet?.address ?? null,
    balance: wei === null ? null : unitsToDecimal(wei),
    read_at: wallet?.readAt ?? null,
    // A screen needs no more digits than a number holds exactly.
    transfers: wei === null ? null : Number(min(wei / perTransfer, BigInt(Number.MAX_SAFE_INTEGER))),
    fee_basis: recent ? 'recent' : 'highest',
    frozen_because: wallet?.frozenBecause ?? null,
  };
}

const min = (a: bigint, b: bigint) => (a < b ? a : b);
