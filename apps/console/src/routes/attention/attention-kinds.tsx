import { OVERDUE_DAYS } from '@copydesk/domain/attention';
import type { Exchange } from '@copydesk/domain/catalogue';
import type { NoteSubject } from '@copydesk/domain/notes';
import { EXCHANGE_CAUSES } from '@copydesk/domain/trading';
import type { ComponentType } from 'react';
import type { AttentionItem } from '../../features/attention/attention-queries.ts';
import type { NextAct, ShownKinds } from '../../features/attention/shown-kind.ts';
import { PaymentLinkDialog } from '../../features/billing/payment-link-dialog.tsx';
import { NotifyDialog } from '../../features/invoices/acts/notify-dialog.tsx';
import { NotesDialog } from '../../features/notes/notes-dialog.tsx';
import { ReleaseDialog } from '../../features/payouts/addresses/release-dialog.tsx';
import { ApproveDistribution } from '../../features/payouts/approval/awaiting-notice.tsx';
import { DecideRun } from '../../features/payouts/runs/decide-run-dialog.tsx';
import { ApproveOrder } from '../../features/transfers/orders/waiting-orders.tsx';
import { exchangeName } from '../../lib/format/exchange-name.ts';
import { MESSAGE_PROBLEM_TEXTS } from '../../lib/format/message-texts.ts';
import { formatCount, numberFormat } from '../../lib/format/numbers.ts';
import { orderActWords } from '../../lib/format/order-texts.ts';
import { frozenWords, problemWords } from '../../lib/format/payout-problem-texts.ts';
import { typeWords } from '../../lib/format/payout-texts.ts';

/** Rounded down, as on the page of the pool. */
const points = numberFormat({ maximumFractionDigits: 2, roundingMode: 'floor' });
type Words = Readonly<Record<string, string>>;
const coded = (words: Words, code: string | null, other: string) => (code && words[code]) || other;
const many = (n: number | null, one: string, more: string) =>
  n === 1 ? `1 ${one}` : `${formatCount(n ?? 0)} ${more}`;

const STOPPED: Words = {
  console: 'All payments are stopped, by a super admin',
  command: 'All payments are stopped, by an operator of the server',
  alert: 'All payments are stopped, by the alarm of a worker',
  lift_asked: 'All payments are stopped, and a super admin asked to lift the stop',
};
const HARVESTS: Words = {
  withdraw: 'waits for its owner to withdraw at the exchange',
  owner_late: 'waits for its owner, who is late to withdraw at the exchange',
  confirm_paused: 'waits for the word that trading has paused',
  confirm_resumed: 'waits for the word that trading goes on',
  close_positions: 'has open positions although trading was paused',
  replace_key: 'cannot go on: its key does not work',
  approve_address: 'cannot go on: its deposit address is not approved',
  approve: 'has a valuation that another super admin approves',
  stop: 'can be stopped',
  retry: 'has a harvest that failed and can be tried again',
  resolve: 'has a harvest that failed: two people decide how it goes on',
};
const BOTS: Words = {
  refused: 'has a bot whose token Telegram refuses',
  unreadable: 'has a bot whose stored token cannot be read',
  other_reader: 'has a bot that another program reads as well',
  webhook: 'has a bot whose messages go elsewhere, by a webhook',
  unavailable: 'has a bot that cannot reach Telegram',
};
const NOTES_ON: Words = { invoice: ' on an invoice', payout: ' on a payout', pool: ' on its pool' };
const CHECKS: Words = {
  wallets: 'Wallets on the chain differ from the books',
  deposit_addresses: 'Deposit addresses are not those of the seed',
};

const CAUSES: Words = Object.fromEntries(
  Object.entries(EXCHANGE_CAUSES).map(([code, { cause }]) => [code, cause]),
);

const toTrader = (label: string, { trader_id: traderId }: AttentionItem): NextAct => ({
  label,
  to: traderId ? { to: '/trader/$traderId', params: { traderId } } : { to: '/' },
});
const toPool = (label: string, { pool_id: poolId }: AttentionItem): NextAct => ({
  label,
  to: poolId ? { to: '/pools/$poolId', params: { poolId } } : { to: '/pools' },
});
const toCommunity = (
  label: string,
  { community_id: communityId }: AttentionItem,
  tab?: 'settings' | 'money',
): NextAct => ({
  label,
  to: communityId
    ? { to: '/community-settings/$communityId', params: { communityId }, search: tab ? { tab } : {} }
    : { to: '/communities' },
});
const toDashboard = (label: string): NextAct => ({ label, to: { to: '/super-admin' } });
interface DialogProps {
  item: AttentionItem;
  onClose(): void;
}

/** A person who may not decide gets a link to where it waits. */
const decided = (label: string, { turn }: AttentionItem, Dialog: ComponentType<DialogProps>): NextAct =>
  turn === 'another' ? toDashboard('See it') : { label, Dialog };

/** What each kind says, and the act that ends it. */
export const ATTENTION_SHOWN: ShownKinds = {
  payments_stopped: {
    words: ({ code }) => coded(STOPPED, code, 'All payments are stopped'),
    act: ({ code }) => toDashboard(code === 'lift_asked' ? 'Decide' : 'Look at it'),
  },
  wallet_frozen: {
    words: ({ code }) => `is frozen. ${frozenWords(code ?? '')}`,
    act: () => toDashboard('Review'),
  },
  payouts_failed: {
    words: ({ count, code }) =>
      `has ${many(count, 'payout that failed', 'payouts that failed')}${code ? `. ${problemWords(code)}` : ''}`,
    act: ({ community_id: community }) => ({
      label: 'See why',
      to: {
        to: '/transaction-history',
        search: { status: 'failed', ...(community && { community }) },
      },
    }),
  },
  payouts_stuck: {
    words: ({ count, code }) =>
      `has ${many(count, 'payout that waits', 'payouts that wait')}${code ? `. ${problemWords(code)}` : ' longer than usual'}`,
    act: ({ subject }) => ({
      label: 'See why',
      to: { to: '/transaction-history', search: { distribution: subject } },
    }),
  },
  gas_low: {
    words: ({ code }) =>
      code === 'none'
        ? 'The gas wallet is empty: nothing can be sent'
        : 'The gas wallet lasts less than three days',
    act: () => ({ label: 'Fill it up', to: { to: '/settings' } }),
  },
  distribution_waiting: {
    words: ({ turn, code, count }) => {
      if (code === 'run')
        return `${many(count, 'community is', 'communities are')} to be paid together, once approved`;
      return turn === 'another'
        ? 'has a distribution that another super admin approves'
        : 'has a distribution to approve';
    },
    act: (item) => decided('Approve', item, DistributionDialog),
  },
  order_waiting: {
    words: ({ code, title }) =>
      `${title === null ? 'An order' : 'has an order'} to approve: ${code ? orderActWords(code) : 'an act with money'}`,
    act: (item) => decided('Approve', item, OrderDialog),
  },
  address_disowned: {
    words: ({ code }) =>
      `(${typeWords(code ?? '')}) has a new payout address that its owner says is not theirs`,
    act: () => ({ label: 'Look at it', to: { to: '/super-admin' } }),
  },
  address_waiting: {
    words: ({ code }) => `(${typeWords(code ?? '')}) has a new payout address to release`,
    act: (item) => decided('Release', item, AddressDialog),
  },
  setting_waiting: {
    words: ({ code }) => `A platform setting is to be approved: ${typeWords(code ?? '')}`,
    act: ({ turn }) => ({ label: turn === 'another' ? 'See it' : 'Decide', to: { to: '/settings' } }),
  },
  super_admin_waiting: {
    words: ({ code }) =>
      code === null
        ? 'is a new super admin whom another one confirms'
        : 'is a new super admin whom only an operator of the server can confirm',
    act: ({ subject, turn }) => ({
      label: turn === 'you' ? 'Confirm' : 'See account',
      to: { to: '/people/$userId', params: { userId: subject } },
    }),
  },
  pool_traded_on: {
    words: () => 'is traded although trading was paused',
    act: (item) => toPool('Open pool', item),
  },
  harvest_waiting: {
    words: ({ code }) => coded(HARVESTS, code, 'has a harvest that waits'),
    act: (item) => toPool(item.turn === 'owner' ? 'See harvest' : 'Go on', item),
  },
  arrival_open: {
    words: ({ code }) =>
      code === 'proposed'
        ? 'got money whose end one person proposed and another confirms'
        : 'got money of unknown origin',
    act: (item) => toPool('Decide', item),
  },
  pool_near_breaker: {
    words: ({ code: left }) =>
      left === null
        ? 'is near its circuit breaker'
        : `is near its circuit breaker: ${points(left)} points of drawdown are left`,
    act: (item) => toPool('Open pool', item),
  },
  key_failing: {
    words: ({ detail, code }) =>
      `on ${exchangeName(detail as Exchange)}: ${coded(CAUSES, code, 'it cannot be read.')}`,
    act: (item) =>
      item.trader_id
        ? toTrader('Open key', item)
        : { label: 'See accounts', to: { to: '/accounts', search: { state: 'failing' } } },
  },
  key_expiring: {
    words: ({ detail, count }) =>
      `on ${exchangeName(detail as Exchange)}: the exchange ends its key ${count === 0 ? 'within a day' : `in ${many(count, 'day', 'days')}`}`,
    act: (item) => toTrader('Open key', item),
  },
  accounts_unread: {
    words: ({ subject, count }) =>
      `${exchangeName(subject as Exchange)}: ${many(count, 'account was', 'accounts were')} not read for an hour`,
    act: ({ subject, provider_id: provider }) => ({
      label: 'See accounts',
      to: {
        to: '/accounts',
        search: { state: 'unread', exchange: subject as Exchange, ...(provider && { provider }) },
      },
    }),
  },
  message_failed: {
    words: ({ count, code }) =>
      `did not get ${many(count, 'message', 'messages')}${code ? `. ${coded(MESSAGE_PROBLEM_TEXTS, code, '')}` : ''}`,
    act: (item) => toTrader(item.code === 'no_chat' ? 'Add Telegram ID' : 'Open trader', item),
  },
  owner_unreached: {
    words: ({ count, code }) =>
      `has an owner who did not get ${many(count, 'message', 'messages')}${code === 'no_chat' ? ': no Telegram ID is known' : ''}`,
    act: (item) => toCommunity('Open settings', item, 'settings'),
  },
  bot_failing: {
    words: ({ code, count }) =>
      code === 'messages'
        ? `has a bot with ${many(count, 'message that failed', 'messages that failed')} today`
        : coded(BOTS, code, 'has a bot that does not answer'),
    act: ({ community_id: communityId }) => ({
      label: 'Open bot',
      to: communityId
        ? { to: '/community-settings/$communityId/bot', params: { communityId } }
        : { to: '/communities' },
    }),
  },
  note_mention: {
    words: ({ count, code }) =>
      `has ${many(count, 'note', 'notes')}${coded(NOTES_ON, code, '')} that ${count === 1 ? 'mentions' : 'mention'} you`,
    act: () => ({ label: 'Read', Dialog: MentionDialog }),
  },
  payment_unmatched: {
    words: ({ count }) => `paid ${many(count, 'time', 'times')} what no invoice took`,
    act: () => ({ label: 'Decide', to: { to: '/invoices' } }),
  },
  invoices_drafted: {
    words: ({ count }) => `A draft of ${many(count, 'invoice', 'invoices')} waits to be sent or discarded`,
    act: ({ subject: runId }) => ({
      label: 'Look at it',
      to: { to: '/invoices/runs/$runId', params: { runId } },
    }),
  },
  invoices_overdue: {
    words: ({ count }) =>
      `has ${many(count, 'invoice', 'invoices')} overdue by more than ${OVERDUE_DAYS} days`,
    act: () => ({ label: 'Notify', Dialog: NotifyTrader }),
  },
  delinquent_suggested: {
    words: ({ count }) => `is suggested as delinquent: ${many(count, 'invoice is', 'invoices are')} overdue`,
    act: (item) => toTrader('Decide', item),
  },
  access_waiting: {
    words: () => 'asked for access',
    act: () => ({ label: 'Answer', to: { to: '/people' } }),
  },
  refusals_many: {
    words: ({ count, code }) =>
      `was refused ${many(count, 'time', 'times')} within an hour (${typeWords(code ?? '')})`,
    act: ({ code }) => ({
      label: 'See the log',
      to: { to: '/audit', search: { view: 'security', ...(code && { code }) } },
    }),
  },
  chain_stopped: {
    words: ({ code }) => `Deposits are not read: ${code ?? 'the chain does not answer'}`,
    act: () => ({ label: 'Look at it', to: { to: '/transaction-history' } }),
  },
  check_failed: {
    words: ({ code, count }) =>
      `${coded(CHECKS, code, 'A check of the books found something')}: ${many(count, 'finding', 'findings')}`,
    act: () => toDashboard('Look at it'),
  },
  work_failing: {
    words: ({ code, count }) =>
      code === 'given_up'
        ? `gave up ${many(count, 'reading', 'readings')} at a vendor: "bin/copydesk admin redrive" reads again`
        : `is a job of the worker that failed ${many(count, 'time', 'times')} in a row: its log says why`,
    act: () => ({ label: 'See the set-up', to: { to: '/settings' } }),
  },
  setup_left: {
    words: ({ count }) => `${many(count, 'step of the set-up is', 'steps of the set-up are')} left`,
    act: () => ({ label: 'See the steps', to: { to: '/settings' } }),
  },
  subscription_unpaid: {
    words: () => 'has not paid its subscription',
    act: () => ({ label: 'Send payment link', Dialog: PaymentDialog }),
  },
};

const NotifyTrader = ({ item: { subject, title }, onClose }: DialogProps) => (
  <NotifyDialog
    trader={{ id: subject, name: title, reference_number: null, telegram_username: null }}
    onClose={onClose}
  />
);
const PaymentDialog = ({ item: { subject, title }, onClose }: DialogProps) => (
  <PaymentLinkDialog community={{ id: subject, name: title ?? '' }} onClose={onClose} />
);
const MentionDialog = ({ item: { subject, title }, onClose }: DialogProps) => {
  const [kind = 'trader', id = ''] = subject.split(':');
  const about = { subject_kind: kind as NoteSubject, subject_id: id };
  return <NotesDialog subject={about} title={`Notes: ${title ?? ''}`} onClose={onClose} />;
};
const OrderDialog = ({ item, onClose }: DialogProps) => (
  <ApproveOrder orderId={item.subject} onClose={onClose} />
);
const AddressDialog = ({ item, onClose }: DialogProps) => (
  <ReleaseDialog changeId={item.subject} onClose={onClose} />
);
const DistributionDialog = ({ item, onClose }: DialogProps) =>
  item.code === 'run' ? (
    <DecideRun runId={item.subject} decision="approve" onClose={onClose} />
  ) : (
    <ApproveDistribution
      communityId={item.community_id ?? ''}
      distributionId={item.subject}
      onClose={onClose}
    />
  );
