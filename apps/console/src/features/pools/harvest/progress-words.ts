import type { HarvestEventKind, HarvestRole } from '@copydesk/domain';
import type { HarvestProgress } from '../pools-queries.ts';

/** Who acts next. */
export const ROLE_WORDS: Record<HarvestRole, string> = {
  super_admin: 'A super admin',
  operator: 'An operator',
  owner: 'The community owner',
  worker: 'The system',
  bot: 'The trading bot',
};

export const FUNDING_WORDS: Record<NonNullable<HarvestProgress['funding']>['state'], string> = {
  planned: 'planned',
  ordered: 'on its way',
  sent: 'final on chain',
  reverted: 'reverted',
  bounced: 'sent back by Bybit',
  lost: 'lost',
  credited: 'credited',
};

/** What happened, by event. */
export const EVENT_WORDS: Record<HarvestEventKind, string> = {
  start: 'Harvest started',
  trading_paused: 'Trading paused',
  checked: 'No position and no order is open',
  positions_appeared: 'Called off: positions appeared',
  owner_done: 'The owner reported the withdrawal',
  withdrawn: 'Everything was withdrawn from Bybit',
  abort: 'Harvest aborted',
  approve_valuation: 'Valuation approved',
  valued: 'Result booked',
  opened: 'Pool opened',
  begin_flow: 'Transfer begun',
  conclude_flow: 'Transfer concluded',
  close_gate: 'Gate closed',
  stop: 'Harvest stopped',
  funding_planned: 'Transfer to Bybit planned',
  funding_sent: 'Transfer to Bybit is final',
  funding_credited: 'Credited by Bybit',
  funding_moved: 'Moved to the trading wallet',
  trading_resumed: 'Trading resumed',
  deadline_passed: 'Deadline passed',
  transfer_reverted: 'Transfer reverted',
  deposit_rejected: 'Deposit rejected by Bybit',
  retry: 'Failed step retried',
  resolve: 'Resolved by two super admins',
};

/** Facts of an event, in their order; others are left out. */
export const EVIDENCE_WORDS: Readonly<Record<string, string>> = {
  balance: 'At Bybit',
  returned: 'Returned',
  result: 'Result',
  funding: 'Transfer',
  credited: 'Credited',
  open_positions: 'Positions',
  open_orders: 'Orders',
  owed: 'Owed at Bybit',
  foreign: 'Not from trading',
  set_aside: 'Set aside',
  reasons: 'Reasons',
  failure: 'Failure',
  resolution: 'Resolution',
};
