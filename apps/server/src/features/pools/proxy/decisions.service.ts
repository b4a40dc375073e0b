import { randomUUID } from 'node:crypto';
import type { CallParsed } from '@copydesk/contract';
import { poolReturnUndone, poolUnexplainedResolved } from '@copydesk/domain/ledger';
import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import { mayUndoReturn, resolvableUnits } from '@copydesk/domain/pools';
import { payableAddress } from '../../../core/chain/payable-address.ts';
import { postJournal } from '../../../core/ledger/ledger.service.ts';
import { orderSendingBack, voidUnsignable } from '../../../core/transfers/ordered-transfers.store.ts';
import {
  type ApproverRules,
  requireActiveRequester,
  requireApprover,
} from '../../../core/transfers/orders/approvers.views.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { PoolTransferDeps } from '../flows/order-flows.ts';
import { findProxyWallet } from '../flows/proxy-wallet.views.ts';
import { type CycleRow, lockCycle, lookSoon } from '../harvest/cycles.store.ts';
import * as store from './decisions.store.ts';
import { readUnexplainedFacts } from './unexplained.views.ts';

export interface DecisionDeps extends ApproverRules {
  chain: PoolTransferDeps;
}

type Proposal = CallParsed<'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions'>['body'];

/** The path to a decision. */
interface Place {
  id: string;
  arrivalId: string;
  decisionId: string;
}

/**
 * Proposes what becomes of an unexplained arrival, or a part of it.
 * @returns the id of the proposal
 * @throws Refusal `not_found`, `arrival_explained`, `arrival_amount`, `decision_pending`, `movement_linked`,
 * `wallet_not_ready`
 */
export async function proposeDecision(
  tx: WriteTx,
  { chain }: DecisionDeps,
  { id: poolId, arrivalId }: Pick<Place, 'id' | 'arrivalId'>,
  proposal: Proposal,
): Promise<string> {
  await requireCycle(tx, poolId);
  const arrival = await requireUnexplained(tx, poolId, arrivalId);
  const units = decimalToUnits(proposal.amount) as bigint;
  const toAddress =
    proposal.kind === 'sent_back' ? await payableAddress(tx, 'to_address', proposal.to_address ?? '') : null;
  const decision = { kind: proposal.kind, units, toAddress };
  await requireResolvable(tx, poolId, arrival, decision);
  if (decision.kind === 'sent_back' && !(await findProxyWallet(tx, chain.chainId, poolId)))
    throw new Refusal('wallet_not_ready');
  const { movement_id: movementId = null, evidence } = proposal;
  if (movementId !== null) await requireFreeWithdrawal(tx, poolId, { movementId, arrivalId });
  const id = await store.insertDecision(tx, arrivalId, { ...decision, movementId, evidence });
  if (id === null) throw new Refusal('decision_pending');
  audit(tx, 'proposed', { poolId, arrival, id, decision, evidence });
  return id;
}

/**
 * Confirms the proposal of another super admin. Money that is sent back is booked when its transfer is final.
 * @throws Refusal `not_found`, `arrival_explained`, `arrival_amount`, `wallet_not_ready`, the refusals of approvers
 */
export async function confirmDecision(tx: WriteTx, deps: DecisionDeps, place: Place): Promise<void> {
  const { id: poolId, arrivalId, decisionId } = place;
  const cycle = await requireCycle(tx, poolId);
  const arrival = await requireUnexplained(tx, poolId, arrivalId);
  const decision = await store.lockDecision(tx, arrivalId, decisionId);
  if (!decision) throw new Refusal('not_found');
  if (decision.state !== 'proposed') throw new Refusal('arrival_explained');
  await requireApprover(tx, deps, decision.requestedById);
  await requireActiveRequester(tx, decision.requestedById);
  await requireResolvable(tx, poolId, arrival, decision);
  const { kind, units, evidence } = decision;
  if (kind === 'sent_back') await sendBack(tx, deps, cycle, decision);
  else {
    await postJournal(
      tx,
      poolUnexplainedResolved(poolId, { end: kind, units }, { type: 'arrival_decision', id: decisionId }),
    );
    await store.recordConfirmed(tx, decisionId, cycle.id);
    await lookSoon(tx, cycle);
  }
  audit(tx, 'confirmed', { poolId, arrival, id: decisionId, decision, evidence });
}

/**
 * Withdraws a proposal, or a confirmed decision whose transfer cannot be signed.
 * @throws Refusal `not_found`, `arrival_explained`, `invalid_flow_status`
 */
export async function withdrawDecision(tx: WriteTx, place: Place): Promise<void> {
  const { id: poolId, arrivalId, decisionId } = place;
  await requireCycle(tx, poolId);
  const arrival = await requireUnexplained(tx, poolId, arrivalId);
  const decision = await store.lockDecision(tx, arrivalId, decisionId);
  if (!decision) throw new Refusal('not_found');
  if (decision.state === 'sending') {
    const voided = await voidUnsignable(tx, decision.transferId ? [decision.transferId] : []);
    if (voided.length === 0) throw new Refusal('invalid_flow_status');
  } else if (decision.state !== 'proposed') throw new Refusal('arrival_explained');
  await store.recordWithdrawn(tx, decisionId);
  audit(tx, 'withdrawn', { poolId, arrival, id: decisionId, decision, evidence: decision.evidence });
}

/**
 * Undoes a confirmed link between an arrival and the exchange: the money is unexplained again, and the harvest waits
 * for it. One person may, because no balance has changed yet.
 * @throws Refusal `not_found`, `not_linked`, `link_too_old`
 */
export async function undoDecision(tx: WriteTx, place: Place, reason: string): Promise<void> {
  const { id: poolId, arrivalId, decisionId } = place;
  const cycle = await requireCycle(tx, poolId);
  const arrival = await store.lockArrival(tx, poolId, arrivalId);
  const decision = arrival && (await store.lockDecision(tx, arrivalId, decisionId));
  if (!decision) throw new Refusal('not_found');
  const { kind, state, units, bookedCycleId } = decision;
  if (kind !== 'is_return' || state !== 'done') throw new Refusal('not_linked');
  const facts = {
    ...(await readUnexplainedFacts(tx, poolId)),
    isBeingValued: cycle.state.step === 'valuing',
    isOfPresentCycle: bookedCycleId === cycle.id,
  };
  if (!mayUndoReturn(units, facts)) throw new Refusal('link_too_old');
  await postJournal(tx, poolReturnUndone(poolId, units, { type: 'arrival_decision', id: decisionId }));
  await store.recordUndone(tx, decisionId, reason);
  await lookSoon(tx, cycle);
  audit(tx, 'undone', { poolId, arrival, id: decisionId, decision, evidence: reason });
}

/** Every decision about a pool's money holds its cycle, as arrivals and valuations do. */
async function requireCycle(tx: WriteTx, poolId: string): Promise<CycleRow> {
  const cycle = await lockCycle(tx, poolId);
  if (!cycle) throw new Refusal('not_found');
  return cycle;
}

async function requireUnexplained(
  tx: WriteTx,
  poolId: string,
  arrivalId: string,
): Promise<store.OpenArrival> {
  const arrival = await store.lockArrival(tx, poolId, arrivalId);
  if (!arrival) throw new Refusal('not_found');
  if (!arrival.isUnexplained) throw new Refusal('arrival_explained');
  return arrival;
}

/** @throws Refusal `arrival_amount` with the largest amount that is possible now */
async function requireResolvable(
  tx: WriteTx,
  poolId: string,
  { leftUnits }: store.OpenArrival,
  { kind, units }: store.Decision,
): Promise<void> {
  const resolvable = resolvableUnits(kind, await readUnexplainedFacts(tx, poolId));
  const most = leftUnits < resolvable ? leftUnits : resolvable;
  if (units <= most) return;
  throw new Refusal('arrival_amount', {
    message: `Not that much of the unexplained money can be decided this way at present (at most ${unitsToDecimal(most)} USDT)`,
  });
}

/** A withdrawal belongs to one arrival. The cycle is locked, so no other link is made meanwhile. */
async function requireFreeWithdrawal(
  tx: WriteTx,
  poolId: string,
  link: { movementId: string; arrivalId: string },
): Promise<void> {
  const { isListed, isTaken } = await store.findWithdrawal(tx, poolId, link);
  if (!isListed) throw new Refusal('not_found');
  if (isTaken) throw new Refusal('movement_linked');
}

async function sendBack(
  tx: WriteTx,
  { chain }: DecisionDeps,
  { poolId }: CycleRow,
  { id, toAddress }: store.StoredDecision,
): Promise<void> {
  const proxy = await findProxyWallet(tx, chain.chainId, poolId);
  if (!proxy) throw new Refusal('wallet_not_ready');
  // It may have become one of our own since it was proposed.
  const to = await payableAddress(tx, 'to_address', toAddress as string);
  if (to.toLowerCase() !== toAddress?.toLowerCase()) throw new Error(`decision ${id} pays another address`);
  const transferId = randomUUID();
  await orderSendingBack(tx, chain, { id: transferId, decisionId: id });
  await store.recordSending(tx, id, transferId);
}

interface Audited {
  poolId: string;
  arrival: store.OpenArrival;
  id: string;
  decision: store.Decision;
  evidence: string;
}

function audit(tx: WriteTx, what: string, { poolId, arrival, id, decision, evidence }: Audited): void {
  tx.audit({
    action: `pool.arrival_decision_${what}`,
    target: { kind: 'pool', id: poolId },
    after: {
      decision_id: id,
      kind: decision.kind,
      units: decision.units.toString(),
      to: decision.toAddress,
      evidence,
      transaction_hash: arrival.transactionHash,
    },
  });
}
