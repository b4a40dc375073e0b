import * as guards from './harvest-guards.ts';
import { TRADING, VALUING } from './harvest-states.ts';
import { type HarvestTransition, reportedBy, SUPER_ADMIN, stoppingAt, WORKER } from './harvest-transition.ts';

/** No approval replaces these: the members who stay would pay for a debt, a rest or missing money. */
const IS_COMPLETE = [guards.hasNoDebt, guards.isAtDust, guards.hasNothingMissing];

/** From the valuation until the pool is open. */
export const OPENING_TRANSITIONS: HarvestTransition[] = [
  {
    ...VALUING,
    event: 'approve_valuation',
    roles: SUPER_ADMIN,
    guards: [guards.isAnotherPerson, ...IS_COMPLETE],
    to: 'stay',
    effects: [],
  },
  {
    ...VALUING,
    event: 'valued',
    roles: WORKER,
    // The result is booked, so the cycle continues with opening once two people have decided.
    when: ({ uncoveredUnits }) => uncoveredUnits > 0n,
    guards: [...IS_COMPLETE, guards.isHealthy],
    to: { failed: 'shortfall', at: { status: 'processing_invoices', step: 'opening' } },
    effects: ['book_valuation', 'alert'],
  },
  {
    ...VALUING,
    event: 'valued',
    roles: WORKER,
    guards: [...IS_COMPLETE, guards.isHealthy],
    to: { status: 'processing_invoices', step: 'opening' },
    effects: ['book_valuation'],
  },
  {
    status: 'processing_invoices',
    step: 'opening',
    event: 'opened',
    roles: WORKER,
    guards: [guards.hasBalancedBooks, guards.hasChargedAll],
    to: { status: 'harvesting', step: 'open' },
    effects: ['reserve_withdrawals', 'plan_fee_transfer'],
  },
];

/** While the pool is open. */
export const OPEN_TRANSITIONS: HarvestTransition[] = [
  {
    status: 'harvesting',
    step: 'open',
    event: 'begin_flow',
    roles: ['worker', 'super_admin'],
    guards: [],
    to: 'stay',
    effects: [],
  },
  {
    status: 'harvesting',
    step: 'any',
    event: 'conclude_flow',
    roles: WORKER,
    guards: [],
    to: 'stay',
    effects: [],
  },
  {
    status: 'harvesting',
    step: 'open',
    event: 'close_gate',
    // The worker closes it after a stop was refused because of pending operations.
    roles: ['super_admin', 'worker'],
    guards: [],
    to: { status: 'harvesting', step: 'closing' },
    effects: [],
  },
  {
    status: 'harvesting',
    step: 'any',
    event: 'stop',
    roles: SUPER_ADMIN,
    guards: [guards.isNotHeld, guards.isWithinDrawdown, guards.hasNothingPending, guards.hasApprovedAddress],
    to: stoppingAt('planning'),
    effects: ['release_reservations', 'forget_raised_breaker', 'cut_carry'],
  },
];

/** From the stop until the pool trades again. */
export const STOPPING_TRANSITIONS: HarvestTransition[] = [
  {
    ...stoppingAt('planning'),
    event: 'funding_planned',
    roles: WORKER,
    when: ({ fundingUnits }) => fundingUnits === 0n,
    guards: [],
    to: stoppingAt('resuming'),
    effects: ['request_resume'],
  },
  {
    ...stoppingAt('planning'),
    event: 'funding_planned',
    roles: WORKER,
    guards: [guards.hasApprovedAddress],
    to: stoppingAt('sending'),
    effects: ['order_funding'],
  },
  {
    ...stoppingAt('sending'),
    event: 'funding_sent',
    roles: WORKER,
    guards: [],
    to: stoppingAt('crediting'),
    effects: [],
  },
  {
    ...stoppingAt('crediting'),
    event: 'funding_credited',
    roles: WORKER,
    guards: [guards.isCreditedInFull],
    to: stoppingAt('moving'),
    effects: [],
  },
  {
    ...stoppingAt('moving'),
    event: 'funding_moved',
    roles: WORKER,
    guards: [],
    to: stoppingAt('resuming'),
    effects: ['request_resume'],
  },
  ...reportedBy({
    ...stoppingAt('resuming'),
    event: 'trading_resumed',
    to: TRADING,
    effects: ['begin_next_cycle'],
  }),
];
