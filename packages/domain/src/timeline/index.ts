/** What a timeline tells the story of. */
export const TIMELINE_SUBJECTS = ['trader', 'invoice', 'payout'] as const;
export type TimelineSubject = (typeof TIMELINE_SUBJECTS)[number];

/** Events that a timeline has at most. */
export const TIMELINE_MOST = 200;

/** What happened to money, from the position that closed to the payout that is final: in that order at the same time. */
export const TIMELINE_EVENTS = [
  'positions_closed',
  'invoiced',
  'deducted',
  'discounted',
  'message',
  'payment_arrived',
  'payment_booked',
  'paid_by_pool',
  'settled_by_hand',
  'marked_unpaid',
  'payment_taken_back',
  'cancelled',
  'recalled',
  'archived',
  'unarchived',
  'shares_due',
  'payout_ordered',
  'payout_first_approved',
  'payout_approved',
  'payout_declined',
  'consolidation_sent',
  'consolidation_final',
  'payout_sent',
  'payout_paid',
  'payout_failed',
  'payout_replaced',
] as const;
export type TimelineEvent = (typeof TIMELINE_EVENTS)[number];

/**
 * `unknown`: it was sent, and the chain has not said yet what became of it. That is neither done nor failed, and nothing
 * may be sent in its place.
 */
export const TIMELINE_STATES = ['done', 'under_way', 'unknown', 'failed'] as const;
export type TimelineState = (typeof TIMELINE_STATES)[number];

/** Who or what did it. */
export const TIMELINE_ACTORS = ['person', 'program', 'trader', 'system', 'chain', 'exchange'] as const;
export type TimelineActor = (typeof TIMELINE_ACTORS)[number];

/**
 * What comes next: for whom it waits, and what happens if it does not come. In the order in which it matters to whoever
 * looks: what waits for people before what the system and the chain do.
 */
export const EXPECTED_STEPS = {
  message_again: { waits_for: 'super_admin', otherwise: 'trader_not_told' },
  payout_again: { waits_for: 'super_admin', otherwise: 'shares_wait' },
  approval: { waits_for: 'another_super_admin', otherwise: 'order_waits' },
  payment_overdue: { waits_for: 'trader', otherwise: 'stays_owed' },
  payment_due: { waits_for: 'trader', otherwise: 'becomes_overdue' },
  order_due: { waits_for: 'trader', otherwise: 'order_ends' },
  distribution: { waits_for: 'super_admin', otherwise: 'shares_wait' },
  message_sent: { waits_for: 'system', otherwise: 'message_fails' },
  transfer_signed: { waits_for: 'system', otherwise: 'transfer_waits' },
  deposit_final: { waits_for: 'chain', otherwise: 'deposit_dropped' },
  transfer_final: { waits_for: 'chain', otherwise: 'fee_raised' },
} as const;
export type ExpectedStep = keyof typeof EXPECTED_STEPS;
export type WaitsFor = (typeof EXPECTED_STEPS)[ExpectedStep]['waits_for'];
export type Otherwise = (typeof EXPECTED_STEPS)[ExpectedStep]['otherwise'];
export const EXPECTED_STEP_KINDS = Object.keys(EXPECTED_STEPS) as [ExpectedStep, ...ExpectedStep[]];

/** A step that the facts leave open. `at`: when it is due, ISO 8601; null: nothing sets a time. */
export interface OpenStep {
  kind: ExpectedStep;
  at: string | null;
  /** How many of them: messages, shares, transfers. */
  count: number;
}

/** Open steps with what they wait for, in the order of `EXPECTED_STEPS`, and of their times. */
export function expectNext<Step extends OpenStep>(open: readonly Step[]) {
  const placeOf = ({ kind }: OpenStep) => EXPECTED_STEP_KINDS.indexOf(kind);
  return open
    .toSorted((a, b) => placeOf(a) - placeOf(b) || (a.at ?? '').localeCompare(b.at ?? ''))
    .map((step) => ({ ...step, ...EXPECTED_STEPS[step.kind] }));
}
