import type { FailureReason } from './harvest-states.ts';

/** Roles that cause events of a cycle. */
export const HARVEST_ROLES = ['super_admin', 'operator', 'owner', 'worker', 'bot'] as const;
export type HarvestRole = (typeof HARVEST_ROLES)[number];

/** Everything that can happen to a cycle. */
export const HARVEST_EVENTS = [
  'start',
  'trading_paused',
  'checked',
  'positions_appeared',
  'remind_owner',
  'owner_done',
  'withdrawn',
  'abort',
  'approve_valuation',
  'valued',
  'opened',
  'begin_flow',
  'conclude_flow',
  'close_gate',
  'stop',
  'funding_planned',
  'funding_sent',
  'funding_credited',
  'funding_moved',
  'trading_resumed',
  'deadline_passed',
  'transfer_reverted',
  'deposit_rejected',
  'retry',
  'resolve',
] as const;
export type HarvestEventKind = (typeof HARVEST_EVENTS)[number];

export interface HarvestEvent {
  kind: HarvestEventKind;
  role: HarvestRole;
}

/** Work that the transaction of a transition orders. Each is safe to repeat. */
export type HarvestEffect =
  | { kind: 'request_pause' }
  | { kind: 'request_resume' }
  /** Trading has resumed after a harvest that was called off. */
  | { kind: 'note_resumed' }
  | { kind: 'notify_owner'; message: 'withdraw_funds' | 'withdraw_reminder' | 'withdrawal_cancelled' }
  /** Posts the journals of the valuation, in chunks of members. */
  | { kind: 'book_valuation' }
  | { kind: 'reserve_withdrawals' }
  | { kind: 'plan_fee_transfer' }
  /** Withdrawals that are reserved and not being paid are queued again. */
  | { kind: 'release_reservations' }
  /** The limit of losses that people raised was for this harvest only. */
  | { kind: 'forget_raised_breaker' }
  | { kind: 'cut_carry' }
  | { kind: 'order_funding' }
  /** Posts the loss of a funding transfer that was never credited in full. */
  | { kind: 'book_lost_funding' }
  | { kind: 'begin_next_cycle' }
  | { kind: 'repeat_step' }
  | { kind: 'alert'; reason: FailureReason | 'positions_appeared' };

/** Refusals of an event. Those of starting and stopping are in the specification's error catalogue. */
export const HARVEST_REFUSALS = [
  'open_positions_exist',
  'uninvoiced_positions',
  'pending_operations',
  'deposit_address_not_approved',
  'circuit_breaker',
  'evidence_old',
  'already_harvesting',
  'already_stopping',
  'not_harvesting',
  'invalid_status',
  'role_not_allowed',
  'acknowledgement_old',
  'bot_attached',
  'no_positions_found',
  'funds_moved',
  'balance_incomplete',
  'withdrawal_under_way',
  'second_person_required',
  'above_dust',
  'usdt_owed',
  'money_missing',
  'returns_missing',
  'approval_required',
  'own_approval',
  'books_differ',
  'fees_uncharged',
  'amount_differs',
  'deadline_not_passed',
  'decision_required',
  'evidence_missing',
  'reminded_lately',
  'owner_unreachable',
  'payments_stopped',
] as const;
export type HarvestRefusal = (typeof HARVEST_REFUSALS)[number];

/** States of the transfer that brings the money back to the exchange. */
export type FundingState = 'planned' | 'ordered' | 'sent' | 'reverted' | 'bounced' | 'lost' | 'credited';

/** What a worker reports of it while it is being sent; nothing: it waits. */
export const SENDING_REPORTS: Readonly<Partial<Record<FundingState, HarvestEventKind>>> = {
  sent: 'funding_sent',
  credited: 'funding_sent',
  reverted: 'transfer_reverted',
};
