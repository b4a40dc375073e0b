import * as guards from './harvest-guards.ts';
import { TRADING, VALUING } from './harvest-states.ts';
import { type HarvestTransition, reportedBy, SUPER_ADMIN, WORKER } from './harvest-transition.ts';

const START: HarvestTransition[] = [
  {
    ...TRADING,
    event: 'start',
    roles: SUPER_ADMIN,
    guards: [guards.isNotHeld, guards.isFresh, guards.hasNoPositions, guards.hasStoredPositions],
    to: { status: 'starting_harvesting', step: 'pausing' },
    effects: ['request_pause'],
  },
  // Where a bot is attached, its acknowledgement alone ends the resumption.
  {
    ...TRADING,
    event: 'trading_resumed',
    roles: ['operator'],
    guards: [guards.awaitsResume, guards.hasNoBot],
    to: 'stay',
    effects: ['note_resumed'],
  },
  ...reportedBy({
    status: 'starting_harvesting',
    step: 'pausing',
    event: 'trading_paused',
    to: { status: 'starting_harvesting', step: 'checking' },
    effects: [],
  }),
  {
    status: 'starting_harvesting',
    step: 'checking',
    event: 'checked',
    roles: WORKER,
    when: (facts) => guards.isAtDust(facts) === null && guards.hasNoDebt(facts) === null,
    guards: [guards.isFresh, guards.hasNoPositions, guards.isStillEmpty, guards.hasStoredPositions],
    to: VALUING,
    effects: [],
  },
  {
    status: 'starting_harvesting',
    step: 'checking',
    event: 'checked',
    roles: WORKER,
    guards: [guards.isFresh, guards.hasNoPositions, guards.isStillEmpty, guards.hasStoredPositions],
    to: { status: 'awaiting_bybit_withdrawal', step: 'withdrawing' },
    effects: ['notify_owner'],
    message: 'withdraw_funds',
  },
  {
    status: 'starting_harvesting',
    step: 'any',
    event: 'positions_appeared',
    roles: WORKER,
    guards: [guards.isFresh, guards.hasPositions, guards.hasNoReturns],
    to: TRADING,
    effects: ['request_resume', 'alert'],
    alert: 'positions_appeared',
  },
];

const ABORT = {
  event: 'abort',
  roles: SUPER_ADMIN,
  guards: [
    guards.hasNoReturns,
    guards.isFresh,
    guards.hasFullBalance,
    guards.hasNoWithdrawal,
    guards.canReadWithdrawals,
  ],
  to: TRADING,
} as const satisfies Partial<HarvestTransition>;

const OWNER_WITHDRAWS: HarvestTransition[] = [
  {
    status: 'awaiting_bybit_withdrawal',
    step: 'withdrawing',
    event: 'remind_owner',
    roles: SUPER_ADMIN,
    guards: [guards.arePaymentsOn, guards.canBeTold, guards.isNotJustTold],
    to: 'stay',
    effects: ['notify_owner'],
    message: 'withdraw_reminder',
  },
  {
    status: 'awaiting_bybit_withdrawal',
    step: 'withdrawing',
    event: 'owner_done',
    roles: ['owner'],
    guards: [],
    to: 'stay',
    effects: [],
  },
  {
    status: 'awaiting_bybit_withdrawal',
    step: 'withdrawing',
    event: 'withdrawn',
    roles: WORKER,
    guards: [
      guards.isFresh,
      guards.hasNoPositions,
      guards.hasNoDebt,
      guards.isAtDust,
      guards.hasNoWithdrawal,
      guards.hasReturns,
    ],
    to: VALUING,
    effects: [],
  },
  { ...ABORT, status: 'starting_harvesting', step: 'any', effects: ['request_resume'] },
  {
    ...ABORT,
    status: 'awaiting_bybit_withdrawal',
    step: 'withdrawing',
    effects: ['request_resume', 'notify_owner'],
    message: 'withdrawal_cancelled',
  },
];

/** From trading until the owner has withdrawn the money from the exchange. */
export const WITHDRAWING_TRANSITIONS: readonly HarvestTransition[] = [...START, ...OWNER_WITHDRAWS];
