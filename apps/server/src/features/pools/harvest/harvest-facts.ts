import { responsibleIds } from '@copydesk/domain/access';
import {
  clockStartOf,
  deadlineOf,
  type ForeignSum,
  type HarvestFacts,
  type HarvestState,
  limitFor,
  type Resolution,
} from '@copydesk/domain/pools';
import { sql } from 'kysely';
import { readVouching } from '../../../core/transfers/orders/vouching.views.ts';
import { isStopped, sumStoppedMs } from '../../../core/transfers/transfer-gate.store.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { findEvidence } from '../evidence/find-evidence.ts';
import { countPendingFlows } from '../flows/count-pending-flows.ts';
import { areBooksBalanced, countUncharged } from '../results/books-of-result.views.ts';
import { decideResult } from '../results/decide-result.ts';
import { isFeeTransferPending } from '../results/fee-transfer.ts';
import { listResults } from '../results/results.views.ts';
import { hasCycleEvent } from './cycle-events.store.ts';
import type { CycleRow } from './cycles.store.ts';
import { findFunding } from './funding.store.ts';
import { findOwner } from './owner/notify-owner.ts';
import { type PoolBalances, readPoolBalances } from './pool-balances.views.ts';

/** Facts, with the read that they come from. */
export interface CycleFacts extends HarvestFacts {
  evidenceId: string | null;
  balances: PoolBalances;
  resultUnits: bigint | null;
  /** While it is decided: what the log lists besides trading, and the part of what returned that this makes foreign. */
  foreign: readonly ForeignSum[];
  foreignUnits: bigint;
}

/** What the caller of an event knows beside the stored facts. */
export interface EventContext {
  now: Date;
  /** The person who acts; undefined: no person does. */
  personId?: string;
  hasSecondPerson?: boolean;
  resolution?: Resolution | null;
  hasEvidence?: boolean;
}

/**
 * Reads the facts that decide about a cycle. Those of a state are read in that state only: the rest of the table of
 * transitions does not ask for them.
 */
export async function readFacts(tx: Tx, row: CycleRow, context: EventContext): Promise<CycleFacts> {
  const { now, personId = null, hasSecondPerson = false, resolution = null, hasEvidence = false } = context;
  const { id: cycleId, poolId, state } = row;
  const stepOf = (step: HarvestState['step']) => state.step === step;
  const { newest, earlier } = await findEvidence(tx, cycleId, { now, since: row.stepSince });
  const balances = (await readPoolBalances(tx, [poolId]))(poolId);
  const funding = await findFunding(tx, cycleId);
  const isOpening = stepOf('opening');
  const maxDrawdown = await limitOf(tx, row, personId);
  const result = stepOf('valuing') && newest ? await decideResult(tx, { poolId, cycleId }, now) : null;
  return {
    now,
    // The time of a stop does not count, so no deadline passes during one.
    deadline: row.deadlineAt && !(await isStopped(tx)) ? row.deadlineAt : null,
    isHeldByRun: await isHeldByRun(tx, poolId),
    hasBot: row.hasBot,
    isAcknowledged: row.trading?.isAcknowledged ?? false,
    isResumeAwaited: isResumeAwaited(row),
    exchange: newest,
    earlierExchange: earlier,
    startBalanceUnits: row.startBalanceUnits ?? newest?.balanceUnits ?? 0n,
    returnedUnits: balances.pool_returned,
    withdrawalFeeUnits: newest?.withdrawalFeeUnits ?? 0n,
    dustUnits: newest?.dustUnits ?? 0n,
    // A valuation without a read waits for one.
    valuationReasons: stepOf('valuing') ? (result?.reasons ?? ['evidence_old']) : [],
    isValuationApproved:
      row.approvedEvidenceId !== null &&
      row.approvedEvidenceId === newest?.id &&
      row.approvedResultUnits === result?.resultUnits,
    missingUnits: result?.missingUnits ?? 0n,
    hasSecondPerson,
    uncoveredUnits: result?.uncoveredUnits ?? 0n,
    areBooksBalanced: isOpening ? await areBooksBalanced(tx, poolId) : true,
    unchargedMembers: isOpening ? await countUncharged(tx, cycleId) : 0,
    pendingOperations:
      state.status === 'harvesting'
        ? (await countPendingFlows(tx, poolId)) + Number(await isFeeTransferPending(tx, cycleId))
        : 0,
    isDepositAddressApproved: isAddressUsable(row, now),
    drawdown: maxDrawdown === null ? '0' : await drawdownOf(tx, row),
    maxDrawdown,
    fundingUnits: funding?.units ?? 0n,
    creditedUnits: funding?.creditedUnits ?? 0n,
    transitUnits: balances.pool_transit,
    failure: row.failure,
    resolution,
    ...(await tellingFacts(tx, row, now)),
    hasEvidence,
    evidenceId: newest?.id ?? null,
    balances,
    resultUnits: row.resultUnits ?? result?.resultUnits ?? null,
    foreign: result?.foreign ?? [],
    foreignUnits: result?.foreignUnits ?? 0n,
  };
}

/** Between two messages that people send to an owner, and after the one that asks for the withdrawal. */
const TOLD_EVERY_MS = 10 * 60_000;

/** What a reminder to the owner depends on; of other states nothing is asked. */
async function tellingFacts(
  tx: Tx,
  { id, communityId, state }: CycleRow,
  now: Date,
): Promise<Pick<HarvestFacts, 'isOwnerJustTold' | 'hasOwnerChat' | 'arePaymentsStopped'>> {
  if (state.step !== 'withdrawing' || state.status === 'failed')
    return { isOwnerJustTold: false, hasOwnerChat: false, arePaymentsStopped: false };
  const since = new Date(now.getTime() - TOLD_EVERY_MS);
  const toldBy = (event: string) => hasCycleEvent(tx, id, event, since);
  return {
    isOwnerJustTold: (await toldBy('checked')) || (await toldBy('remind_owner')),
    hasOwnerChat: (await findOwner(tx, communityId)).hasChat,
    arePaymentsStopped: await isStopped(tx),
  };
}

/** A harvest was called off, and no report has come since that trading goes on. */
export const isResumeAwaited = ({ state, trading }: Pick<CycleRow, 'state' | 'trading'>): boolean =>
  state.status === 'stopped' && trading?.command === 'resume' && !trading.isAcknowledged;

/** The limit for this person, under whichever of its accounts it raised the limit. */
async function limitOf(
  tx: Tx,
  { maxDrawdown, breakerRaises }: CycleRow,
  personId: string | null,
): Promise<string | null> {
  if (personId === null || breakerRaises.length === 0) return maxDrawdown;
  const known = await readVouching(tx, [personId, ...breakerRaises.map(({ by }) => by)]);
  const accountsOf = (id: string) => {
    const vouched = known.get(id);
    return vouched ? responsibleIds(vouched) : [id];
  };
  return limitFor(personId, { limit: maxDrawdown, raises: breakerRaises, accountsOf });
}

/** The present drawdown, where something depends on it. */
async function drawdownOf(tx: Tx, { poolId, state }: CycleRow): Promise<string> {
  if (state.status !== 'harvesting') return '0';
  const [latest] = await listResults(tx, poolId);
  return latest?.drawdown ?? '0';
}

/** The approved address is usable once its waiting time is over, and only while the exchange shows the same one. */
function isAddressUsable({ address }: Pick<CycleRow, 'address'>, now: Date): boolean {
  const { approved, usableFrom, read } = address;
  if (approved === null || usableFrom === null || usableFrom > now) return false;
  return read === null || read.toLowerCase() === approved.toLowerCase();
}

/** When a state of this cycle ends at the latest. A stop that holds moves it when it is lifted: see `app.end_stop`. */
export async function deadlineFor(
  tx: Tx,
  state: HarvestState,
  { at, statusSince, waitedMs }: { at: Date; statusSince: Date; waitedMs: number },
): Promise<Date | null> {
  const clock = { statusSince, stepSince: at };
  const stoppedMs = await sumStoppedMs(tx, clockStartOf(state, clock));
  return deadlineOf(state, { ...clock, waitedForPersonMs: waitedMs, stoppedMs });
}

/** A run holds a pool until it has reached its goal, waits for its owner or has failed. */
async function isHeldByRun(tx: Tx, poolId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM harvest_run_item i WHERE i.pooled_account_id = ${poolId} AND i.state = 'moving'`.execute(
    tx.sql,
  );
  return rows.length > 0;
}
