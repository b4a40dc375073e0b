import { poolCredited } from '@copydesk/domain/ledger';
import { depositRefusal, planFunding, SENDING_REPORTS } from '@copydesk/domain/pools';
import { postJournal } from '../../../../core/ledger/ledger.service.ts';
import type { PoolAccount } from '../../../../integrations/exchanges/pool-records.ts';
import { type Tx, WHOLE_SCOPE, type WriteTx } from '../../../../platform/db/database.ts';
import { readDeposit } from '../../evidence/read-deposit.ts';
import { poolAccountOf } from '../../keys/pool-account.ts';
import { findUid } from '../../keys/pool-keys.store.ts';
import { refreshDepositAddress } from '../address/read-deposit-address.ts';
import type { CycleRow } from '../cycles.store.ts';
import {
  type Funding,
  findFunding,
  insertFunding,
  recordMoved,
  replaceMove,
  saveFundingState,
} from '../funding.store.ts';
import { type HarvestWorker, inCycle, LOOK_AGAIN_MS, sendEvent, wait } from '../harvest-worker.ts';
import { readPoolBalances } from '../pool-balances.views.ts';
import { commandBot } from './command-bot.ts';
import type { AttendStep } from './step.ts';

/** Records of a deposit that came to nothing. One that is held or limited may still be credited. */
const REJECTED: readonly string[] = ['failed', 'rolled_back', 'rollback_failed'];

/** Plans the funding transfer by the exchange's present rules, and orders it. */
const planning: AttendStep = async (worker, cycle) => {
  const account = await poolAccountOf(worker, cycle.poolId);
  if (!(await isBoundAccount(worker, cycle.poolId, account)))
    return wait(worker, cycle, { code: 'other_account', inMs: LOOK_AGAIN_MS.withdrawingLate });
  const rules = await worker.venue.readCoin(account, { priority: 'background' });
  const address = await refreshDepositAddress(worker, cycle.poolId, account);
  const stepUnits = 10n ** BigInt(18 - rules.accuracyDecimals);
  const limits = { minimumUnits: rules.depositMinUnits, stepUnits };
  const units = await worker.db.read(WHOLE_SCOPE, (tx) => findUnits(tx, cycle, limits));
  const refusal = depositRefusal(
    { units, tokenAddress: worker.chain.tokenAddress },
    {
      isOpen: rules.maySendDeposits,
      tokenAddress: rules.contractAddress,
      tokenEnding: address?.contractEnding ?? null,
      mostUnits: address?.releaseLimitUnits ?? null,
    },
  );
  if (refusal) return wait(worker, cycle, { code: refusal, inMs: LOOK_AGAIN_MS.withdrawingLate });
  worker.atPoint?.('funding_planned');
  const outcome = await sendEvent(worker, cycle, { kind: 'funding_planned', role: 'worker' }, (tx, row) =>
    planAttempt(tx, row, limits),
  );
  if (!outcome.isApplied) await wait(worker, cycle, { ...outcome, inMs: LOOK_AGAIN_MS.checking });
};

/** Whether the key is of the account that the pool was connected with: no money goes to another one. */
async function isBoundAccount(
  { db, venue }: HarvestWorker,
  poolId: string,
  account: PoolAccount,
): Promise<boolean> {
  const bound = await db.read(WHOLE_SCOPE, (tx) => findUid(tx, poolId));
  // Older pools have no recorded account; the address that two people approved is their only protection.
  return bound === null || (await venue.readKey(account, { priority: 'background' })).uid === bound;
}

interface FundingLimits {
  minimumUnits: bigint;
  stepUnits: bigint;
}

/** One planned attempt at a time: a repeat replaces nothing, and an attempt that ended badly gets a successor. */
async function planAttempt(tx: WriteTx, cycle: CycleRow, limits: FundingLimits): Promise<void> {
  const { id, address } = cycle;
  const last = await findFunding(tx, id);
  if (last && OPEN.includes(last.state)) return;
  const units = await findUnits(tx, cycle, limits);
  await insertFunding(tx, id, { attempt: (last?.attempt ?? 0) + 1, units, toAddress: address.approved });
}

const OPEN: readonly Funding['state'][] = ['planned', 'ordered', 'sent'];

/** What is planned already, or would be. */
async function findUnits(
  tx: Tx,
  { id, poolId }: CycleRow,
  { minimumUnits, stepUnits }: FundingLimits,
): Promise<bigint> {
  const last = await findFunding(tx, id);
  if (last && OPEN.includes(last.state)) return last.units;
  const { pool_proxy, pool_fees_due, pool_unexplained } = (await readPoolBalances(tx, [poolId]))(poolId);
  return planFunding({
    proxyUnits: pool_proxy,
    feesDueUnits: pool_fees_due,
    unexplainedUnits: pool_unexplained,
    minimumUnits,
    stepUnits,
  });
}

const sending: AttendStep = async (worker, cycle) => {
  const funding = await fundingOf(worker, cycle);
  const kind = funding && SENDING_REPORTS[funding.state];
  if (kind) {
    await sendEvent(worker, cycle, { kind, role: 'worker' });
    return;
  }
  await wait(worker, cycle, { code: null, inMs: LOOK_AGAIN_MS.soon });
};

/** Waits until the exchange lists the deposit, and books what it credited. */
const crediting: AttendStep = async (worker, cycle) => {
  const funding = await fundingOf(worker, cycle);
  if (!funding?.transactionHash) throw new Error(`the cycle ${cycle.id} has sent no funding`);
  if (funding.state === 'bounced') {
    await sendEvent(worker, cycle, { kind: 'deposit_rejected', role: 'worker' });
    return;
  }
  const record = await readDeposit(worker, { poolId: cycle.poolId }, funding.transactionHash);
  if (record?.state === 'problem' && REJECTED.includes(record.problem ?? '')) {
    await sendEvent(worker, cycle, { kind: 'deposit_rejected', role: 'worker' });
    return;
  }
  if (record?.state !== 'credited')
    return wait(worker, cycle, {
      code: record?.problem ? `deposit_${record.problem}` : 'deposit_not_credited',
      inMs: LOOK_AGAIN_MS.checking,
    });
  worker.atPoint?.('credit_seen');
  await inCycle(worker, cycle, async (tx, row) => {
    await bookCredit(tx, row, funding, record.amountUnits);
    return { isApplied: true };
  });
  const outcome = await sendEvent(worker, cycle, { kind: 'funding_credited', role: 'worker' });
  if (!outcome.isApplied) await wait(worker, cycle, { ...outcome, inMs: LOOK_AGAIN_MS.withdrawingLate });
};

/** Once for each attempt: the source is the attempt. More than was sent is not booked here. */
async function bookCredit(
  tx: WriteTx,
  { id, poolId }: CycleRow,
  { attempt, units, creditedUnits }: Funding,
  amountUnits: bigint,
): Promise<void> {
  if (creditedUnits > 0n) return;
  const credited = amountUnits < units ? amountUnits : units;
  await postJournal(tx, poolCredited(poolId, credited, { type: 'harvest_cycle', id: `${id}:${attempt}` }));
  await saveFundingState(tx, id, { attempt, state: 'credited', creditedUnits: credited });
}

/**
 * Moves the money to the trading wallet. A repeat with the stored id never moves twice. Where the owner has deposits
 * credited to the trading wallet, or moved the money by hand, it is there already.
 */
const moving: AttendStep = async (worker, cycle) => {
  const funding = await fundingOf(worker, cycle);
  if (!funding) throw new Error(`the cycle ${cycle.id} has no funding to move`);
  if (!funding.isMoved) {
    const account = await poolAccountOf(worker, cycle.poolId);
    const move = { transferId: funding.moveId, amountUnits: funding.creditedUnits };
    const result = await worker.venue.moveToUnified(account, move, { priority: 'background' });
    worker.atPoint?.('moved');
    if (result.state === 'failed') return moveAgain(worker, cycle, { account, funding });
    const isThere =
      result.state === 'done' ||
      (result.state === 'refused' && (await isInUnified(worker, account, funding)));
    if (!isThere)
      return wait(worker, cycle, {
        code: result.state === 'refused' ? `move_${result.reason}` : 'move_under_way',
        inMs: LOOK_AGAIN_MS.checking,
      });
  }
  await sendEvent(worker, cycle, { kind: 'funding_moved', role: 'worker' }, (tx, row) =>
    recordMoved(tx, row.id, funding),
  );
};

/** Another id takes over once the exchange lists the present one as failed; until then it may still succeed. */
async function moveAgain(
  worker: HarvestWorker,
  cycle: CycleRow,
  { account, funding }: { account: PoolAccount; funding: Funding },
): Promise<void> {
  const listed = await worker.venue.findTransfer(account, funding.moveId, { priority: 'background' });
  const isFailed = listed?.state === 'failed';
  if (isFailed)
    await inCycle(worker, cycle, async (tx, row) => {
      await replaceMove(tx, row.id, funding);
      return { isApplied: true };
    });
  await wait(worker, cycle, {
    code: isFailed ? 'move_failed' : 'move_under_way',
    inMs: LOOK_AGAIN_MS.checking,
  });
}

/** Whether the credited money is in the trading wallet, and not in the one that it would be moved from. */
async function isInUnified(
  { venue }: HarvestWorker,
  account: PoolAccount,
  { creditedUnits }: Funding,
): Promise<boolean> {
  const { funding, unified } = await venue.readBalances(account, { priority: 'background' });
  return funding.ownUnits < creditedUnits && unified.ownUnits >= creditedUnits;
}

const resuming: AttendStep = (worker, cycle) => commandBot(worker, cycle, 'trading_resumed');

const fundingOf = ({ db }: HarvestWorker, { id }: CycleRow): Promise<Funding | null> =>
  db.read(WHOLE_SCOPE, (tx) => findFunding(tx, id));

/** From the stop until the pool trades again. */
export const STOPPING_STEPS = { planning, sending, crediting, moving, resuming } satisfies Record<
  string,
  AttendStep
>;
