import type { AttentionItem } from '@copydesk/contract/attention';
import {
  ATTENTION,
  type AttentionGroup,
  type AttentionKind,
  type Channel,
  isLeft,
} from '@copydesk/domain/attention';
import { findTextTrap } from '@copydesk/domain/text';
import { escapeHtml } from '../../../core/outbox/texts/markup.ts';

/** What a message calls an item: its sentence, with the next act, is in the list. */
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
/** The longest message that Telegram takes. */
const TELEGRAM_LENGTH = 4_096;
/** What Telegram makes pressable besides links: names of others, commands, tags. */
const PRESSABLE = /(?<![\p{L}\p{N}_])[@/#$][\p{L}\p{N}_]/u;

interface MessageOf {
  by: Channel;
  items: readonly AttentionItem[];
  /** Of the listed items and of those beyond the list. */
  total: number;
  /** Origin of the console. */
  origin: string;
  at: Date;
}

interface Written {
  subject: string;
  text: string;
}

const when = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/**
 * A name that others chose, on one line; empty where it contains a link or an address: mail programs and Telegram make
 * those clickable, and readers trust the sender.
 */
function safeTitle(title: string | null, by: Channel): string {
  const name = (title ?? '').replace(/[\s\p{C}]+/gu, ' ').trim();
  const isTrap = findTextTrap(name) !== null || (by === 'telegram' && PRESSABLE.test(name));
  return name === '' || isTrap ? '' : `: ${name}`;
}

function lineOf({ kind, title, amount, count, since, taken }: AttentionItem, { at, by }: MessageOf): string {
  const facts = [
    amount !== null && `${amount} USDT`,
    count !== null && count > 1 && `${count} ${COUNTED[kind] ?? 'of them'}`,
  ];
  const shown = facts.filter((fact) => fact !== false).join(', ');
  const isReminded = taken?.is_you === true && isLeft(taken.at, at);
  const words = `${LABELS[kind]}${safeTitle(title, by)}${shown && ` (${shown})`}, since ${when.format(new Date(since))} UTC`;
  return `- ${words}${isReminded ? `. You took it ${when.format(new Date(taken.at))} UTC, and it is not done` : ''}`;
}

/** A link to the list and never to one item: nothing is decided from a message. */
const foot = ({ origin, by }: MessageOf, onlyApprovals: boolean) =>
  `${origin}/${onlyApprovals ? 'approvals' : 'attention'}\n\nWhich ${by === 'mail' ? 'mails' : 'messages'} you get, and when, is in your settings:\n${origin}/preferences\n`;

/** With as many items as are shown at most, and as Telegram takes. */
function fit(message: MessageOf, subject: string, textOf: (list: string) => string): Written {
  const lines = message.items.slice(0, SHOWN).map((item) => lineOf(item, message));
  for (; ; lines.pop()) {
    const left = message.total - lines.length;
    const list = [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n');
    const written = { subject, text: textOf(list) };
    const isShort = message.by === 'mail' || escapeHtml(inChat(written)).length <= TELEGRAM_LENGTH;
    if (isShort || lines.length === 0) return written;
  }
}

/** As one text, whose first line is the subject. */
export const inChat = ({ subject, text }: Written): string => `${subject}\n\n${text.trimEnd()}`;

/** As a mail again, what was written for a chat. */
export function outOfChat(written: string): Written {
  const [subject = '', ...paragraphs] = written.split('\n\n');
  return { subject, text: `${paragraphs.join('\n\n')}\n` };
}

/** What is new and cannot wait. */
export function renderNews(message: MessageOf): Written {
  const { by, items, total } = message;
  const isUrgent = items.some(({ kind }) => ATTENTION[kind].urgency === 1);
  const onlyApprovals = items.every(({ kind }) => ATTENTION[kind].group === 'approvals');
  const waits = total === 1 ? '1 thing waits for you' : `${total} things wait for you`;
  const subject = onlyApprovals
    ? `${total === 1 ? '1 approval waits' : `${total} approvals wait`} for you`
    : `${isUrgent ? 'Urgent: ' : ''}${waits}`;
  const last = by === 'mail' ? 'mail' : 'message';
  return fit(
    message,
    subject,
    (list) => `New since the last ${last}:\n\n${list}\n\n${foot(message, onlyApprovals)}`,
  );
}

/** All waiting items, by group. */
export function renderDigest(
  message: MessageOf & { groups: Partial<Record<AttentionGroup, number>> },
): Written {
  const { total, groups } = message;
  const sums = (Object.keys(GROUPS) as AttentionGroup[])
    .filter((group) => groups[group])
    .map((group) => `${GROUPS[group]}: ${groups[group]}`);
  return fit(
    message,
    total === 1 ? '1 thing waits for you today' : `${total} things wait for you today`,
    (list) => `${sums.join('\n')}\n\nThe most urgent first:\n\n${list}\n\n${foot(message, false)}`,
  );
}
