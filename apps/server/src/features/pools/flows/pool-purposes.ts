import {
  poolDepositAdmitted,
  poolDepositReturned,
  poolSent,
  poolWithdrawalPaid,
} from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import { groupOpenReservations } from '../../../core/ledger/reservations.views.ts';
import type { EndedTransfer } from '../../../core/transfers/transfer.ts';
import type { TransferPurpose, TransferPurposes } from '../../../core/transfers/transfer-purpose.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { endFundingTransfers, listFunded } from '../harvest/funding.store.ts';
import { sendBackPurpose } from '../proxy/send-back-purpose.ts';
import { poolFeePurpose } from '../results/fee-purpose.ts';
import {
  returnActs,
  whyNoCollection,
  whyNoFunding,
  whyNoReturn,
  whyNoWithdrawal,
  withdrawalActs,
} from './pool-facts.ts';
import * as deposits from './queued-deposits.store.ts';
import { releaseWithdrawals } from './release-reservations.ts';
import { takeBackUnmoved } from './release-stuck-flows.ts';
import * as withdrawals from './withdrawals.store.ts';

const idsOf = (transfers: readonly { id: string }[]) => transfers.map(({ id }) => id);
const endedAs = (ended: readonly EndedTransfer[], isFinal: boolean) =>
  idsOf(ended.filter(({ state }) => (state === 'final') === isFinal).map(({ transfer }) => transfer));

const release = async (tx: WriteTx, transferIds: readonly string[]) =>
  releaseWithdrawals(tx, await withdrawals.endPaying(tx, transferIds));

/** Brings a member's queued deposits into the proxy wallet, where they become capital at once. */
const collect: TransferPurpose = {
  whyNotBacked: whyNoCollection,
  goesTo: 'own_wallet',
  // Includes the transfers of returned deposits.
  beforeSigning: takeBackUnmoved(
    sql`SELECT d.transfer_id FROM pool_deposit d WHERE d.state IN ('collecting', 'returning')`,
    deposits.queueDepositsAgain,
  ),
  async journalsOf(tx, transfers) {
    const moved = await deposits.listMoved(tx, idsOf(transfers));
    return moved.map(({ id, ...deposit }) => ({
      draft: poolDepositAdmitted(deposit, deposit.units, { type: 'pool_deposit', id }),
    }));
  },
  async onEnded(tx, ended) {
    await deposits.recordAdmitted(tx, endedAs(ended, true));
    await deposits.queueDepositsAgain(tx, endedAs(ended, false));
  },
};

/** Pays a deposit back that its member asked for before it was collected. */
const giveBack: TransferPurpose = {
  whyNotBacked: whyNoReturn,
  audited: returnActs,
  goesTo: 'others',
  async journalsOf(tx, transfers) {
    const moved = await deposits.listMoved(tx, idsOf(transfers));
    return moved.map(({ id, memberId, units }) => ({
      draft: poolDepositReturned(memberId, units, { type: 'pool_deposit', id }),
    }));
  },
  async onEnded(tx, ended) {
    await deposits.recordReturned(tx, endedAs(ended, true));
    await deposits.queueDepositsAgain(tx, endedAs(ended, false));
  },
};

/** Pays a withdrawal out of the proxy wallet. */
const withdraw: TransferPurpose = {
  whyNotBacked: whyNoWithdrawal,
  audited: withdrawalActs,
  goesTo: 'others',
  beforeSigning: takeBackUnmoved(
    sql`SELECT w.transfer_id FROM pool_withdrawal w WHERE w.state = 'paying'`,
    release,
  ),
  async journalsOf(tx, transfers) {
    const paid = await withdrawals.listByTransfers(tx, idsOf(transfers));
    const reserved = await groupOpenReservations(tx, 'pool_withdrawal', paid.map(withdrawals.reservationId));
    const unitsOf = new Map(transfers.map(({ id, units }) => [id, units]));
    return paid.map((each) => ({
      draft: poolWithdrawalPaid(each, unitsOf.get(each.transferId) as bigint, {
        type: 'pool_withdrawal',
        id: each.requestId,
      }),
      reservationIds: reserved.get(withdrawals.reservationId(each)) ?? [],
    }));
  },
  async onEnded(tx, ended) {
    const paid = await withdrawals.listByTransfers(tx, endedAs(ended, true));
    await withdrawals.recordPaid(
      tx,
      paid.map(({ requestId }) => requestId),
    );
    await release(tx, endedAs(ended, false));
  },
};

/** Sends the pool's money to the exchange. The cycle goes on from the row of the attempt. */
const fund: TransferPurpose = {
  whyNotBacked: whyNoFunding,
  goesTo: 'approved_address',
  isReady: sql`EXISTS (
    SELECT FROM harvest_funding f JOIN harvest_cycle h ON h.id = f.cycle_id
    JOIN pooled_account p ON p.id = h.pooled_account_id
    WHERE f.transfer_id = i.id AND lower(p.bybit_deposit_address) = lower(i.to_address)
      AND p.bybit_deposit_address_from <= now())`,
  async journalsOf(tx, transfers) {
    const funded = await listFunded(tx, idsOf(transfers));
    return funded.map(({ poolId, cycleId, attempt, units }) => ({
      draft: poolSent(poolId, BigInt(units), { type: 'harvest_cycle', id: `${cycleId}:${attempt}` }),
    }));
  },
  async onEnded(tx, ended) {
    await endFundingTransfers(tx, endedAs(ended, true), 'sent');
    await endFundingTransfers(tx, endedAs(ended, false), 'reverted');
  },
  onAbandoned: (tx, transfers) => endFundingTransfers(tx, idsOf(transfers), 'reverted'),
};

/** The purposes of pools' transfers, for the engine. */
export const POOL_PURPOSES = {
  pool_collect: collect,
  pool_return: giveBack,
  pool_withdraw: withdraw,
  pool_fund: fund,
  pool_fee: poolFeePurpose,
  pool_send_back: sendBackPurpose,
} satisfies Partial<TransferPurposes>;
