import type { AttentionItem } from '@copydesk/contract/attention';
import { ATTENTION, type AttentionGroup, type AttentionKind, isLeft } from '@copydesk/domain/attention';
import { findTextTrap } from '@copydesk/domain/text';

/** What a mail calls an item: its sentence, with the next act, is in the list. */
const LABELS: Record<AttentionKind, string> = {
  payments_stopped: 'All payments are stopped',
  wallet_frozen: 'Frozen wallet',
  payouts_failed: 'Failed payouts',
  payouts_stuck: 'Payouts that take longer than usual',
  gas_low: 'Coin for fees is low',
  distribution_waiting: 'Distribution to approve',
  order_waiting: 'Order to approve',
  address_disowned: 'Payout address that its owner disowned',
  address_waiting: 'Payout address to release',
  setting_waiting: 'Setting to approve',
  super_admin_waiting: 'New super admin to confirm',
  pool_traded_on: 'Pool that is traded although it was paused',
  harvest_waiting: 'Harvest that waits',
  arrival_open: 'Arrival at a pool to decide about',
  pool_near_breaker: 'Pool near its circuit breaker',
  key_failing: 'Key that does not work',
  key_expiring: 'Key that expires soon',
  accounts_unread: 'Accounts that were not read for an hour',
  message_failed: 'Messages that did not arrive',
  owner_unreached: 'Message to an owner that did not arrive',
  bot_failing: 'Bot that does not answer',
  note_mention: 'Notes that mention you',
  payment_unmatched: 'Payment that no invoice took',
  invoices_drafted: 'Draft of invoices',
  invoices_overdue: 'Overdue invoices',
  delinquent_suggested: 'Trader who may be delinquent',
  access_waiting: 'Person who waits for access',
  refusals_many: 'Many refused attempts',
  chain_stopped: 'The chain is not read',
  check_failed: 'A check of the books failed',
  work_failing: 'Work of the system that fails',
  setup_left: 'Set-up that is left',
  subscription_unpaid: 'Unpaid subscription',
};

/** The unit of an item's count, where it differs from the item itself. */
const COUNTED: Partial<Record<AttentionKind, string>> = {
  key_expiring: 'days left',
  work_failing: 'failures',
  setup_left: 'steps',
};

const GROUPS: Record<AttentionGroup, string> = {
  money_out: 'Money out',
  approvals: 'Approvals',
  pools: 'Pools',
  keys: 'Keys',
  messages: 'Messages',
  invoices: 'Invoices',
  access: 'Access',
  system: 'System',
};

/** More are in the list itself. */
const SHOWN = 15;

interface MailOf {
  items: readonly AttentionItem[];
  /** Of the listed items and of those beyond the list. */
  total: number;
  /** Origin of the console. */
  origin: string;
  at: Date;
}

const when = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/**
 * A name that others chose, on one line; empty where it contains a link or an address: mail programs make
 * those clickable, and readers trust the sender.
 */
function safeTitle(title: string | null): string {
  const name = (title ?? '').replace(/[\s\p{C}]+/gu, ' ').trim();
  return name === '' || findTextTrap(name) ? '' : `: ${name}`;
}

function lineOf({ kind, title, amount, count, since, taken }: AttentionItem, at: Date): string {
  const facts = [
    amount !== null && `${amount} USDT`,
    count !== null && count > 1 && `${count} ${COUNTED[kind] ?? 'of them'}`,
  ];
  const shown = facts.filter((fact) => fact !== false).join(', ');
  const isReminded = taken?.is_you === true && isLeft(taken.at, at);
  const words = `${LABELS[kind]}${safeTitle(title)}${shown && ` (${shown})`}, since ${when.format(new Date(since))} UTC`;
  return `- ${words}${isReminded ? `. You took it ${when.format(new Date(taken.at))} UTC, and it is not done` : ''}`;
}

const listOf = ({ items, total, at }: MailOf) =>
  [
    ...items.slice(0, SHOWN).map((item) => lineOf(item, at)),
    ...(total > SHOWN ? [`- and ${total - Math.min(items.length, SHOWN)} more`] : []),
  ].join('\n');

/** A link to the list and never to one item: nothing is decided from a mail. */
const foot = (origin: string, onlyApprovals: boolean) =>
  `${origin}/${onlyApprovals ? 'approvals' : 'attention'}\n\nWhich mails you get, and when, is in your settings:\n${origin}/preferences\n`;

/** What is new and cannot wait. */
export function newsMail(mail: MailOf): { subject: string; text: string } {
  const { items, total, origin } = mail;
  const isUrgent = items.some(({ kind }) => ATTENTION[kind].urgency === 1);
  const onlyApprovals = items.every(({ kind }) => ATTENTION[kind].group === 'approvals');
  const waits = total === 1 ? '1 thing waits for you' : `${total} things wait for you`;
  const subject = onlyApprovals
    ? `${total === 1 ? '1 approval waits' : `${total} approvals wait`} for you`
    : `${isUrgent ? 'Urgent: ' : ''}${waits}`;
  return { subject, text: `New since the last mail:\n\n${listOf(mail)}\n\n${foot(origin, onlyApprovals)}` };
}

/** All waiting items, by group. */
export function digestMail(mail: MailOf & { groups: Partial<Record<AttentionGroup, number>> }) {
  const { total, groups, origin } = mail;
  const sums = (Object.keys(GROUPS) as AttentionGroup[])
    .filter((group) => groups[group])
    .map((group) => `${GROUPS[group]}: ${groups[group]}`);
  return {
    subject: total === 1 ? '1 thing waits for you today' : `${total} things wait for you today`,
    text: `${sums.join('\n')}\n\nThe most urgent first:\n\n${listOf(mail)}\n\n${foot(origin, false)}`,
  };
}
