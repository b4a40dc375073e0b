import type { CallAnswer } from '@copydesk/contract';
import type { Exchange } from '@copydesk/domain/catalogue';
import type { ExpectedStep, Otherwise, TimelineActor, WaitsFor } from '@copydesk/domain/timeline';
import { exchangeName } from '../../lib/format/exchange-name.ts';
import { MESSAGE_KIND_NAMES, MESSAGE_PROBLEM_TEXTS } from '../../lib/format/message-texts.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { problemWords } from '../../lib/format/payout-problem-texts.ts';
import { typeWords } from '../../lib/format/payout-texts.ts';

export type Timeline = CallAnswer<'GET /api/timeline'>['data'];
export type Happened = Timeline['events'][number];
export type Expected = Timeline['expected'][number];

const counted = (n: number, one: string, many: string) => `${formatCount(n)} ${n === 1 ? one : many}`;
const inMessage = <T extends string>(names: Record<T, string>, key: string | null) =>
  names[key as T] ?? key ?? '';
const collected = (count: number) =>
  count === 1 ? 'Collection from the deposit address' : `${formatCount(count)} collections`;

const EVENT_WORDS: Record<Happened['kind'], string | ((event: Happened) => string)> = {
  positions_closed: ({ count, detail }) =>
    `${counted(count, 'position', 'positions')} closed${detail ? ` at ${exchangeName(detail as Exchange)}` : ''}`,
  invoiced: 'Invoiced',
  deducted: 'Deducted: an earlier invoice charged too much',
  discounted: 'Reduced by a coupon',
  message: ({ detail, state }) =>
    `Message “${inMessage(MESSAGE_KIND_NAMES, detail)}” ${state === 'done' ? 'sent' : state === 'failed' ? 'not delivered' : 'on its way'}`,
  payment_arrived: 'Payment arrived on chain',
  payment_booked: 'Payment booked',
  paid_by_pool: 'Paid by the pool',
  settled_by_hand: 'Marked as paid, off-platform',
  marked_unpaid: 'Marked as unpaid',
  payment_taken_back: 'Payment reversed',
  cancelled: 'Cancelled',
  recalled: 'Recalled: what it charged is due again',
  archived: 'Archived',
  unarchived: 'Restored',
  shares_due: ({ count }) => `${counted(count, 'share', 'shares')} due to recipients`,
  payout_ordered: ({ detail }) => `Payout ordered${detail ? `, ${typeWords(detail)}` : ''}`,
  payout_first_approved: 'Distribution approved by a first super admin',
  payout_approved: 'Distribution approved',
  payout_declined: 'Distribution declined',
  consolidation_sent: ({ count }) => `${collected(count)} sent`,
  consolidation_final: ({ count }) => `${collected(count)} final`,
  payout_sent: 'Payout sent',
  payout_paid: ({ detail }) => `Payout final${detail ? `, ${typeWords(detail)}` : ''}`,
  payout_failed: ({ detail }) => `Payout failed${detail ? `, ${typeWords(detail)}` : ''}`,
  payout_replaced: 'Ordered again with another payout',
};

export function eventWords(event: Happened): string {
  const words = EVENT_WORDS[event.kind];
  return typeof words === 'string' ? words : words(event);
}

const ACTORS: Record<TimelineActor, string> = {
  person: 'a person',
  program: 'a program',
  trader: 'the trader',
  system: 'the system',
  chain: 'the chain',
  exchange: 'the exchange',
};

/** Who or what did it; null: the event says it. */
export const actorWords = ({ actor }: Happened): string => ACTORS[actor];

/** Why it failed; null: it did not, or the event says it. */
export function eventProblem({ kind, problem }: Happened): string | null {
  if (problem === null) return null;
  return kind === 'message'
    ? (MESSAGE_PROBLEM_TEXTS[problem as keyof typeof MESSAGE_PROBLEM_TEXTS] ?? problem)
    : problemWords(problem);
}

const STEP_WORDS: Record<ExpectedStep, (count: number) => string> = {
  message_again: (n) => `${counted(n, 'message', 'messages')} to send again`,
  payout_again: (n) => `${counted(n, 'failed payout', 'failed payouts')} to order again`,
  approval: (n) => `${counted(n, 'distribution', 'distributions')} to approve`,
  payment_overdue: (n) => (n === 1 ? 'Payment, overdue' : `Payment of ${formatCount(n)} invoices, overdue`),
  payment_due: (n) => (n === 1 ? 'Payment' : `Payment of ${formatCount(n)} invoices`),
  order_due: (n) => (n === 1 ? 'Payment of the order' : `Payment of ${formatCount(n)} orders`),
  distribution: (n) => `${counted(n, 'share', 'shares')} to distribute`,
  message_sent: (n) => `${counted(n, 'message', 'messages')} to be sent`,
  transfer_signed: (n) => `${counted(n, 'transfer', 'transfers')} to be signed and sent`,
  deposit_final: (n) => `${counted(n, 'transfer', 'transfers')} of the trader in no final block yet`,
  transfer_final: (n) => `Outcome of ${counted(n, 'sent transfer', 'sent transfers')}`,
};

const WAITS_FOR: Record<WaitsFor, string> = {
  super_admin: 'Waits for a super admin',
  another_super_admin: 'Waits for another super admin',
  trader: 'Waits for the trader',
  system: 'Waits for the system',
  chain: 'Waits for the chain',
};

const OTHERWISE: Record<Otherwise, string> = {
  trader_not_told: 'Until then the trader does not know.',
  shares_wait: 'Until then their recipients wait.',
  order_waits: 'Until then nothing is sent.',
  stays_owed: 'It stays owed until it is paid, or a person writes it off.',
  becomes_overdue: 'Later it is overdue.',
  order_ends: 'Without it the order ends, and nothing is owed.',
  message_fails: 'It is tried again, then waits for a super admin.',
  transfer_waits: 'What it waits for is shown with its payout.',
  deposit_dropped: 'If its block is dropped, nothing is booked.',
  fee_raised: 'The same transfer is sent again with a higher fee, never a second one.',
};

export const stepWords = ({ kind, count }: Expected) => STEP_WORDS[kind](count);
export const waitsForWords = ({ waits_for }: Expected) => WAITS_FOR[waits_for];
export const otherwiseWords = ({ otherwise }: Expected) => OTHERWISE[otherwise];
