import { sumDecimals } from '@copydesk/domain/money';
import type { HarvestEventKind } from '@copydesk/domain/pools';
import { exactUsdt } from '../../../lib/format/usdt.ts';
import type { HarvestProgress } from '../pools-queries.ts';

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
  remind_owner: 'Owner reminded',
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
const EVIDENCE_WORDS: Readonly<Record<string, string>> = {
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

/** What Bybit's log lists besides trading, by type and sum, and what becomes of it; null: nothing. */
export function foreignWords({
  foreign,
  set_aside,
  missing,
}: Pick<NonNullable<HarvestProgress['valuation']>, 'foreign' | 'set_aside' | 'missing'>): string | null {
  if (foreign.length === 0) return null;
  const sums = foreign.map(({ type, amount }) => `${type} ${signed(exactUsdt(amount))}`).join(', ');
  const parts = [
    `Bybit's log lists ${sums}.`,
    ...(set_aside === '0' ? [] : [`${exactUsdt(set_aside)} of it is set aside and is no result.`]),
    ...(missing === '0'
      ? []
      : [`${exactUsdt(missing)} is missing and is no loss: it has to come back first.`]),
  ];
  return parts.join(' ');
}

const AMOUNTS: ReadonlySet<string> = new Set([
  'balance',
  'returned',
  'result',
  'funding',
  'credited',
  'owed',
  'set_aside',
]);

type Evidence = HarvestProgress['events'][number]['evidence'];
type Value = Evidence[string] | undefined;

/**
 * The facts that an event changed, as an operator reads them; the others are in the audit trail. Empty: it changed none.
 * @param earlier the events before it, newest first
 */
export function evidenceWords(
  { evidence }: { evidence: Evidence },
  earlier: readonly { evidence: Evidence }[],
): string {
  return Object.entries(EVIDENCE_WORDS)
    .flatMap(([name, label]) => {
      const value = evidence[name];
      if (value === undefined || value === null) return [];
      const before: Value = earlier.map((one) => one.evidence[name]).find((one) => one != null);
      if (String(before ?? 0) === String(value)) return [];
      return [`${label} ${valueWords(name, value)}${changeWords(name, value, before)}`];
    })
    .join(' · ');
}

const valueWords = (name: string, value: NonNullable<Value>): string =>
  AMOUNTS.has(name) && typeof value === 'string' ? exactUsdt(value) : String(value).replaceAll('_', ' ');

/** The difference to the read before; a word has none. */
function changeWords(name: string, value: NonNullable<Value>, before: Value): string {
  if (typeof value === 'number' && typeof before === 'number') return ` (${signed(String(value - before))})`;
  if (!AMOUNTS.has(name) || typeof value !== 'string' || typeof before !== 'string') return '';
  const minus = before.startsWith('-') ? before.slice(1) : `-${before}`;
  return ` (${signed(exactUsdt(sumDecimals([value, minus])))})`;
}

const signed = (text: string): string => (text.startsWith('-') ? text : `+${text}`);

const MINUTES = { day: 24 * 60, hour: 60 };

/** A duration in its two largest units, never rounded up: `2 d 4 h`, `2 h 5 min`, `8 min`. */
export function spentWords(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes === 0) return 'under 1 min';
  const [days, hours, rest] = [
    Math.floor(minutes / MINUTES.day),
    Math.floor((minutes % MINUTES.day) / MINUTES.hour),
    minutes % MINUTES.hour,
  ];
  const parts =
    days > 0
      ? [`${days} d`, hours > 0 && `${hours} h`]
      : [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`];
  return parts.filter(Boolean).join(' ');
}

/** The time to a deadline: `19 h 25 min left`. */
export const leftWords = (ms: number): string =>
  ms < 0 ? `Deadline passed ${spentWords(-ms)} ago` : `${spentWords(ms)} left`;
