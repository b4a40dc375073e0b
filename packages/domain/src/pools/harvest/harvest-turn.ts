import type { HarvestStatus } from '../../catalogue.ts';
import type { HarvestStep } from './harvest-states.ts';

/** Whose turn it is in a cycle that waits. */
export const TURNS = ['system', 'bot', 'owner', 'operator', 'super_admin', 'another_super_admin'] as const;
export type TurnOf = (typeof TURNS)[number];

/** What they do next; null: nothing that anyone could do here. */
export type TurnAct =
  | 'withdraw'
  | 'confirm_paused'
  | 'confirm_resumed'
  | 'close_positions'
  | 'replace_key'
  | 'approve_address'
  | 'approve'
  | 'stop'
  | 'retry'
  | 'resolve';

export interface HarvestTurn {
  who: TurnOf;
  act: TurnAct | null;
  /** When it became their turn. */
  since: string;
  /** When the pool gives up; null: it does not. */
  until: string | null;
  /** Someone trades although trading was paused: the pool does not go on. */
  isAlarm: boolean;
}

/** The facts of a cycle, as lists have them. Times are ISO 8601. */
export interface TurnFacts {
  status: HarvestStatus;
  step: HarvestStep;
  /** Why it failed or waits, as a code. */
  reason: string | null;
  since: string;
  step_since: string;
  deadline_at: string | null;
  /** A harvest was called off, and no report has come since that trading goes on. */
  is_resume_awaited: boolean;
}

/** Faults that a super admin mends, in any step. */
const MENDED: ReadonlyMap<string | null, TurnAct> = new Map([
  ['invalid_credentials', 'replace_key'],
  ['credentials_or_ip', 'replace_key'],
  ['ip_not_allowed', 'replace_key'],
  ['insufficient_permission', 'replace_key'],
  ['other_account', 'replace_key'],
  ['deposit_address_not_approved', 'approve_address'],
]);
/** The owner has done its part: the money is on its way. */
const ON_THE_WAY: ReadonlySet<string | null> = new Set(['returns_missing', 'withdrawal_under_way']);
/** Failures that two people decide: one proposes, another confirms. */
const DECIDED: ReadonlySet<string | null> = new Set(['deposit_rejected', 'shortfall']);

/** Whose turn it is, since when and until when, and what they do next; null: nothing is awaited. */
export function turnOf(cycle: TurnFacts, hasBot: boolean): HarvestTurn | null {
  const { status, step, reason } = cycle;
  const isAlarm = isTradedOn(cycle);
  const turn = (who: TurnOf, act: TurnAct | null = null): HarvestTurn => ({
    who,
    act,
    since:
      status === 'processing_invoices' || status === 'stopping_harvesting' ? cycle.step_since : cycle.since,
    until: cycle.deadline_at,
    isAlarm,
  });
  const reports = (act: 'confirm_paused' | 'confirm_resumed') =>
    hasBot ? turn('bot') : turn('operator', act);
  if (status === 'stopped') return cycle.is_resume_awaited ? reports('confirm_resumed') : null;
  if (status === 'harvesting' && isAlarm) return turn('operator', 'close_positions');
  if (status === 'harvesting') return step === 'closing' ? turn('super_admin', 'stop') : null;
  if (status === 'failed') return turn('super_admin', DECIDED.has(reason) ? 'resolve' : 'retry');
  if (isAlarm) return turn('operator', 'close_positions');
  const mended = MENDED.get(reason);
  if (mended) return turn('super_admin', mended);
  if (step === 'pausing') return reports('confirm_paused');
  if (step === 'resuming') return reports('confirm_resumed');
  if (step === 'withdrawing') return ON_THE_WAY.has(reason) ? turn('system') : turn('owner', 'withdraw');
  if (step === 'valuing' && reason === 'approval_required') return turn('another_super_admin', 'approve');
  return turn('system');
}

/** Whether a position or an order was open after trading had been paused. */
export function isTradedOn({ status, step, reason }: Pick<TurnFacts, 'status' | 'step' | 'reason'>): boolean {
  if (reason === 'positions_appeared') return status === 'stopped';
  return reason === 'open_positions_exist' && status !== 'stopped' && step !== 'pausing';
}
