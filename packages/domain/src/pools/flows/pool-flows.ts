import { mostOf } from '../../money/order-units.ts';
import type { HarvestState } from '../harvest/harvest-states.ts';

/** A deposit into a pool, from its final arrival at the member's pool address. */
export const POOL_DEPOSIT_STATUSES = ['queued', 'collecting', 'admitted', 'returning', 'returned'] as const;
export type PoolDepositStatus = (typeof POOL_DEPOSIT_STATUSES)[number];

export const WITHDRAWAL_STATUSES = ['queued', 'reserved', 'paying', 'paid', 'refused', 'cancelled'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** Whether deposits and withdrawals begin: no other status has this step. */
export const isGateOpen = ({ step }: HarvestState): boolean => step === 'open';

/** A final deposit that is not admitted. Amounts are base units. */
export interface PendingDeposit {
  requestId: string;
  memberId: string;
  units: bigint;
  status: PoolDepositStatus;
}

/**
 * The deposits to collect now: all queued ones of the members whose queued deposits together reach the minimum. Others
 * stay queued and add up.
 */
export function depositsToCollect(
  state: HarvestState,
  deposits: readonly PendingDeposit[],
  minimumUnits: bigint,
): PendingDeposit[] {
  if (!isGateOpen(state)) return [];
  const queued = deposits.filter(({ status }) => status === 'queued');
  const sums = new Map<string, bigint>();
  for (const { memberId, units } of queued) sums.set(memberId, (sums.get(memberId) ?? 0n) + units);
  return queued.filter(({ memberId }) => (sums.get(memberId) ?? 0n) >= minimumUnits);
}

/** Events of a deposit; the status after each. An event that is missing here is refused. */
const DEPOSIT_MOVES = {
  collect: { from: 'queued', to: 'collecting' },
  admit: { from: 'collecting', to: 'admitted' },
  /** The collecting transfer did not happen. */
  release: { from: 'collecting', to: 'queued' },
  ask_back: { from: 'queued', to: 'returning' },
  /** The return was not paid. */
  keep: { from: 'returning', to: 'queued' },
  return: { from: 'returning', to: 'returned' },
} as const satisfies Record<string, { from: PoolDepositStatus; to: PoolDepositStatus }>;
export type DepositEvent = keyof typeof DEPOSIT_MOVES;

/** Codes of refused flows. */
export const FLOW_REFUSALS = [
  'gate_closed',
  'invalid_flow_status',
  'amount_above_capital',
  'nothing_to_withdraw',
] as const;
export type FlowRefusal = (typeof FLOW_REFUSALS)[number];

/** Decides an event of a deposit: collecting begins while the gate is open, and it is admitted while harvesting. */
export function decideDeposit(
  state: HarvestState,
  status: PoolDepositStatus,
  event: DepositEvent,
): { to: PoolDepositStatus } | { refusal: FlowRefusal } {
  if (event === 'collect' && !isGateOpen(state)) return { refusal: 'gate_closed' };
  if (event === 'admit' && state.status !== 'harvesting') return { refusal: 'gate_closed' };
  const { from, to } = DEPOSIT_MOVES[event];
  return status === from ? { to } : { refusal: 'invalid_flow_status' };
}

/** Events of a withdrawal; the status after each. */
const WITHDRAWAL_MOVES = {
  reserve: { from: ['queued'], to: 'reserved' },
  pay: { from: ['reserved'], to: 'paying' },
  conclude: { from: ['paying'], to: 'paid' },
  /** The payout failed or is on hold: the reservation ends, and the request waits for its turn again. */
  release: { from: ['reserved', 'paying'], to: 'queued' },
  refuse: { from: ['queued'], to: 'refused' },
  cancel: { from: ['queued', 'reserved'], to: 'cancelled' },
} as const satisfies Record<string, { from: readonly WithdrawalStatus[]; to: WithdrawalStatus }>;
export type WithdrawalEvent = keyof typeof WITHDRAWAL_MOVES;

/** Decides an event of a withdrawal: reserving and paying begin while the gate is open. */
export function decideWithdrawal(
  state: HarvestState,
  status: WithdrawalStatus,
  event: WithdrawalEvent,
): { to: WithdrawalStatus } | { refusal: FlowRefusal } {
  if ((event === 'reserve' || event === 'pay') && !isGateOpen(state)) return { refusal: 'gate_closed' };
  if (event === 'conclude' && state.status !== 'harvesting') return { refusal: 'gate_closed' };
  const { from, to } = WITHDRAWAL_MOVES[event];
  return (from as readonly WithdrawalStatus[]).includes(status) ? { to } : { refusal: 'invalid_flow_status' };
}

/** What the exchange says about deposits of the token. Null: it does not say. */
export interface DepositRules {
  isOpen: boolean;
  /** The token that it credits, and the ending of it that it shows beside the address. */
  tokenAddress: string | null;
  tokenEnding: string | null;
  /** The most that it releases from one deposit, base units. */
  mostUnits: bigint | null;
}

/** Why money must not be sent to the exchange now; null: it may. Nothing to send needs no deposit. */
export function depositRefusal(
  { units, tokenAddress }: { units: bigint; tokenAddress: string },
  rules: DepositRules,
): 'deposits_suspended' | 'other_token' | 'above_deposit_limit' | null {
  if (units === 0n) return null;
  if (!rules.isOpen) return 'deposits_suspended';
  const token = tokenAddress.toLowerCase();
  const isOther =
    (rules.tokenAddress !== null && rules.tokenAddress.toLowerCase() !== token) ||
    (rules.tokenEnding !== null && !token.endsWith(rules.tokenEnding.toLowerCase()));
  if (isOther) return 'other_token';
  return rules.mostUnits !== null && units > rules.mostUnits ? 'above_deposit_limit' : null;
}

/** Money that goes to the exchange when a pool stops harvesting. Amounts are base units. */
export interface FundingFacts {
  proxyUnits: bigint;
  /** Not the members' money: fees not moved yet, and money with an unknown owner. */
  feesDueUnits: bigint;
  unexplainedUnits: bigint;
  /** Smallest deposit and finest amount of the exchange. */
  minimumUnits: bigint;
  stepUnits: bigint;
}

/** The funding transfer. Less than the exchange's minimum, and a rest below its step, stay in the proxy wallet. */
export function planFunding(facts: FundingFacts): bigint {
  const { proxyUnits, feesDueUnits, unexplainedUnits, minimumUnits, stepUnits } = facts;
  const available = mostOf(proxyUnits - feesDueUnits - unexplainedUnits, 0n);
  const units = available - (available % stepUnits);
  return units < minimumUnits ? 0n : units;
}
