import { ERRORS, type ErrorCode } from '@copydesk/contract';
import type { CycleAction } from '@copydesk/contract/pools';
import { decideHarvest, type HarvestDecision, type HarvestEvent } from '@copydesk/domain/pools';
import {
  type ApproverRules,
  requireActiveRequester,
  requireApprover,
} from '../../../core/transfers/orders/approvers.views.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { applyHarvestEvent, type SagaDeps } from './apply-harvest-event.ts';
import * as store from './cycles.store.ts';
import { type CycleFacts, deadlineFor, type EventContext, readFacts } from './harvest-facts.ts';
import { findProposal, type ResolutionKind } from './resolutions.store.ts';

/** Acts of people on cycles. */
export type ActDeps = SagaDeps & ApproverRules;

/** The event of each act, and the role in which a super admin causes it. */
export const EVENT_OF = {
  start: { kind: 'start', role: 'super_admin' },
  stop: { kind: 'stop', role: 'super_admin' },
  close_gate: { kind: 'close_gate', role: 'super_admin' },
  abort: { kind: 'abort', role: 'super_admin' },
  retry: { kind: 'retry', role: 'super_admin' },
  confirm_paused: { kind: 'trading_paused', role: 'operator' },
  confirm_resumed: { kind: 'trading_resumed', role: 'operator' },
  approve: { kind: 'approve_valuation', role: 'super_admin' },
  remind_owner: { kind: 'remind_owner', role: 'super_admin' },
} as const satisfies Record<CycleAction, HarvestEvent>;

interface Act {
  action: CycleAction;
  /** The version that the caller has seen; undefined: any. */
  version?: number | undefined;
  evidenceId?: string | undefined;
}

/**
 * Acts on the cycle of a pool.
 * @throws Refusal `not_found`, `cycle_changed`, the refusal of the act, the refusals of approvers
 */
export async function actOnCycle(tx: WriteTx, deps: ActDeps, poolId: string, act: Act): Promise<void> {
  const row = await lockSeen(tx, poolId, act.version);
  if (act.action === 'start') await requireReady(tx, poolId);
  if (act.action === 'approve') return approve(tx, deps, row, act.evidenceId);
  await fire(tx, deps, row, EVENT_OF[act.action], { now: deps.now() });
}

/** The valuation of one read is accepted by another person than the one who started the harvest. */
async function approve(
  tx: WriteTx,
  deps: ActDeps,
  row: store.CycleRow,
  evidenceId: string | undefined,
): Promise<void> {
  if (row.startedBy) await requireApprover(tx, deps, row.startedBy);
  const now = deps.now();
  const facts = await fire(tx, deps, row, EVENT_OF.approve, { now, hasSecondPerson: true });
  const { evidenceId: readId, resultUnits } = facts;
  if (!readId || resultUnits === null || (evidenceId && evidenceId !== readId))
    throw new Refusal('cycle_changed');
  // The worker noted the time by its own clock, which may be ahead.
  const awaitedMs = Math.max(0, now.getTime() - (row.approvalAwaitedSince ?? now).getTime());
  const waitedMs = row.waitedMs + awaitedMs;
  const { state, stepSince: at, statusSince } = row;
  const deadlineAt = await deadlineFor(tx, state, { at, statusSince, waitedMs });
  await store.saveApproval(tx, row, { evidenceId: readId, resultUnits, at: now, waitedMs, deadlineAt });
}

/**
 * Confirms the proposal of another super admin, which takes effect at once.
 * @throws Refusal `not_found`, `cycle_changed`, the refusals of approvers and of the event
 */
export async function confirmResolution(
  tx: WriteTx,
  deps: ActDeps,
  poolId: string,
  resolutionId: string,
): Promise<void> {
  const row = await lockSeen(tx, poolId);
  const proposal = await findProposal(tx, row);
  if (!proposal) throw new Refusal('cycle_changed');
  if (proposal.id !== resolutionId) throw new Refusal('not_found');
  await requireApprover(tx, deps, proposal.requestedById);
  await requireActiveRequester(tx, proposal.requestedById);
  const context = { now: deps.now(), hasSecondPerson: true, hasEvidence: true };
  const { kind } = proposal;
  const [event, resolution] = eventOf(kind);
  await fire(tx, deps, row, event, { ...context, resolution });
}

const eventOf = (kind: ResolutionKind) =>
  kind === 'abort'
    ? ([EVENT_OF.abort, null] as const)
    : ([{ kind: 'resolve', role: 'super_admin' }, kind] as const);

/**
 * Closes the gate of an open pool whose stop will be refused because of transfers under way: none begins after it, so
 * that the next stop can succeed.
 * @returns the version after it, when the gate was closed; null: it was not
 */
export async function closeGateBeforeRefusal(
  tx: WriteTx,
  deps: SagaDeps,
  { poolId, version, now }: { poolId: string; version: number | undefined; now: Date },
): Promise<number | null> {
  const row = await store.lockCycle(tx, poolId);
  if (row?.state.status !== 'harvesting' || row.state.step !== 'open') return null;
  if (version !== undefined && version !== row.version) return null;
  const facts = await readFacts(tx, row, { now, personId: tx.actor.id });
  const stop = decideHarvest(row.state, EVENT_OF.stop, facts);
  if (stop.kind !== 'refuse' || stop.code !== 'pending_operations') return null;
  await applyHarvestEvent(tx, deps, { row, event: { kind: 'close_gate', role: 'worker' }, facts });
  return row.version + 1;
}

/**
 * Closes the gates of all open pools that are active.
 * @returns how many
 * @throws Refusal `not_harvesting` when no gate is open
 */
export async function closeAllGates(tx: WriteTx, deps: ActDeps, poolIds: readonly string[]): Promise<number> {
  const now = deps.now();
  const rows = await store.lockCycles(tx, poolIds);
  const open = rows.filter(({ state }) => state.status === 'harvesting' && state.step === 'open');
  if (open.length === 0) throw new Refusal('not_harvesting', { message: 'No gate is open.' });
  for (const row of open) await fire(tx, deps, row, EVENT_OF.close_gate, { now });
  return open.length;
}

/** @throws Refusal `not_found`, `cycle_changed` */
export async function lockSeen(tx: WriteTx, poolId: string, version?: number): Promise<store.CycleRow> {
  const row = await store.lockCycle(tx, poolId);
  if (!row) throw new Refusal('not_found');
  if (version !== undefined && version !== row.version) throw new Refusal('cycle_changed');
  return row;
}

/** A harvest needs an address for the owner's withdrawal. @throws Refusal `wallet_not_ready`, `pool_inactive` */
async function requireReady(tx: WriteTx, poolId: string): Promise<void> {
  const { isActive, hasProxy } = await store.findReadiness(tx, poolId);
  if (!isActive) throw new Refusal('pool_inactive');
  if (!hasProxy) throw new Refusal('wallet_not_ready');
}

async function fire(
  tx: WriteTx,
  deps: SagaDeps,
  row: store.CycleRow,
  event: HarvestEvent,
  context: EventContext,
): Promise<CycleFacts> {
  const facts = await readFacts(tx, row, { personId: tx.actor.id, ...context });
  const decision = await applyHarvestEvent(tx, deps, { row, event, facts });
  if (decision.kind === 'refuse') throw refusalError(decision, row);
  return facts;
}

/** The refusal of an event as an error of the API. */
function refusalError(
  { code, detail }: Extract<HarvestDecision, { kind: 'refuse' }>,
  { state }: store.CycleRow,
): Refusal {
  const isKnown = code in ERRORS;
  const known = (isKnown ? code : 'invalid_status') as ErrorCode;
  const isGateClosed = code === 'pending_operations' && state.step === 'closing';
  const text = textOf(known, detail);
  return new Refusal(known, { message: isGateClosed ? `${text} ${GATE_CLOSED}` : text });
}

const GATE_CLOSED = 'The gate is closed: no new ones begin.';

/** The text of a refusal, with its figures. */
export function textOf(code: ErrorCode, detail: string): string {
  return FIGURES.has(code) && detail ? `${ERRORS[code].message} (${detail})` : ERRORS[code].message;
}

/** Refusals whose details are counts that help an operator. */
const FIGURES: ReadonlySet<ErrorCode> = new Set([
  'open_positions_exist',
  'uninvoiced_positions',
  'pending_operations',
  'withdrawal_under_way',
]);
