import {
  MOVED_NOTHING,
  poolDepositAdmitted,
  poolDepositReturned,
  poolSent,
  poolWithdrawalPaid,
} from '@copydesk/domain';
import { type RawBuilder, sql } from 'kysely';
import { groupOpenReservations } from '../../../core/ledger/reservations.views.ts';
import { lockCommunities } from '../../../core/locks/communities.store.ts';
import type { EndedTransfer } from '../../../core/transfers/transfer.ts';
import type {
  PurposeContext,
  TransferPurpose,
  TransferPurposes,
} from '../../../core/transfers/transfer-purpose.ts';
import { WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import { sendBackPurpose } from '../proxy/send-back-purpose.ts';
import { poolFeePurpose } from '../results/fee-purpose.ts';
import { whyNoCollection, whyNoFunding, whyNoReturn, whyNoWithdrawal } from './pool-facts.ts';
import * as deposits from './queued-deposits.store.ts';
import { releaseWithdrawals } from './release-reservations.ts';
import * as withdrawals from './withdrawals.store.ts';

const idsOf = (transfers: readonly { id: string }[]) => transfers.map(({ id }) => id);
const endedAs = (ended: readonly EndedTransfer[], isFinal: boolean) =>
  idsOf(ended.filter(({ state }) => (state === 'final') === isFinal).map(({ transfer }) => transfer));

/**
 * Takes back what a review or a missing fact ended before it moved. It is the worker's part: the login of the API says
 * neither what came in nor what is being paid.
 * @param underWay the transfers of what counts as being under way
 */
const takeBackUnmoved =
  (underWay: RawBuilder<unknown>, takeBack: (tx: WriteTx, ids: string[]) => Promise<void>) =>
  async ({ db }: PurposeContext): Promise<boolean> => {
    const { rows } = await db.read(WHOLE_SCOPE, (tx) =>
      sql<{ id: string; communityId: string }>`
        SELECT i.id, i.community_id AS "communityId" FROM transfer i
        WHERE i.id IN (${underWay}) AND i.state = ANY (${[...MOVED_NOTHING]}::text[])`.execute(tx.sql),
    );
    if (rows.length === 0) return false;
    await retryConflicts(() =>
      db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
        await lockCommunities(
          tx,
          rows.map(({ communityId }) => communityId),
        );
        await takeBack(tx, idsOf(rows));
      }),
    );
    return true;
  };

const release = async (tx: WriteTx, transferIds: readonly string[]) =>
  releaseWithdrawals(tx, await withdrawals.endPaying(tx, transferIds));

/** Brings a member's queued deposits into the proxy wallet, where they become capital at once. */
const collect: TransferPurpose = {
  whyNotBacked: whyNoCollection,
  goesTo: 'own_wallet',
  // Those of returned deposits as well.
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
    await deposits.noteAdmitted(tx, endedAs(ended, true));
    await deposits.queueDepositsAgain(tx, endedAs(ended, false));
  },
};

/** Pays a deposit back that its member asked for before it was collected. */
const giveBack: TransferPurpose = {
  whyNotBacked: whyNoReturn,
  goesTo: 'others',
  async journalsOf(tx, transfers) {
    const moved = await deposits.listMoved(tx, idsOf(transfers));
    return moved.map(({ id, memberId, units }) => ({
      draft: poolDepositReturned(memberId, units, { type: 'pool_deposit', id }),
    }));
  },
  async onEnded(tx, ended) {
    await deposits.noteReturned(tx, endedAs(ended, true));
    await deposits.queueDepositsAgain(tx, endedAs(ended, false));
  },
};

/** Pays a withdrawal out of the proxy wallet. */
const withdraw: TransferPurpose = {
  whyNotBacked: whyNoWithdrawal,
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
    await withdrawals.notePaid(
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
    const funded = await listFunding(tx, idsOf(transfers));
    return funded.map(({ poolId, cycleId, attempt, units }) => ({
      draft: poolSent(poolId, BigInt(units), { type: 'harvest_cycle', id: `${cycleId}:${attempt}` }),
    }));
  },
  async onEnded(tx, ended) {
    await endFunding(tx, endedAs(ended, true), 'sent');
    await endFunding(tx, endedAs(ended, false), 'reverted');
  },
  onAbandoned: (tx, transfers) => endFunding(tx, idsOf(transfers), 'reverted'),
};

interface FundedCycle {
  cycleId: string;
  poolId: string;
  attempt: number;
  units: string;
}

async function listFunding(tx: WriteTx, transferIds: readonly string[]): Promise<FundedCycle[]> {
  const { rows } = await sql<FundedCycle>`
    SELECT f.cycle_id AS "cycleId", h.pooled_account_id AS "poolId", f.attempt, f.units::text AS units
    FROM harvest_funding f JOIN harvest_cycle h ON h.id = f.cycle_id
    WHERE f.transfer_id = ANY (${[...transferIds]}::uuid[])`.execute(tx.sql);
  return rows;
}

/** Notes how funding transfers ended, and wakes their cycles. */
async function endFunding(
  tx: WriteTx,
  transferIds: readonly string[],
  state: 'sent' | 'reverted',
): Promise<void> {
  if (transferIds.length === 0) return;
  await sql`
    WITH ended AS (
      UPDATE harvest_funding SET state = ${state}
      WHERE transfer_id = ANY (${[...transferIds]}::uuid[]) AND state = 'ordered' RETURNING cycle_id)
    UPDATE harvest_cycle h SET look_at = now() FROM ended e WHERE h.id = e.cycle_id AND h.look_at IS NOT NULL`.execute(
    tx.sql,
  );
}

/** The purposes of pools' transfers, for the engine. */
export const POOL_PURPOSES = {
  pool_collect: collect,
  pool_return: giveBack,
  pool_withdraw: withdraw,
  pool_fund: fund,
  pool_fee: poolFeePurpose,
  pool_send_back: sendBackPurpose,
} satisfies Partial<TransferPurposes>;
