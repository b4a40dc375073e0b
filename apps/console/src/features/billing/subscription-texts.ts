import { offeredPlans } from '@copydesk/domain/billing';
import { formatUsd } from '../../lib/format/numbers.ts';
import { formatDate } from '../../lib/format/read-time.ts';
import type { Tone } from '../../ui/feedback/badge.tsx';
import type { Interval, ListedSubscription, Subscription } from './subscription-query.ts';

/** What both one subscription and all of them say. */
type Facts = Pick<Subscription, keyof Subscription & keyof ListedSubscription>;

/** The names of the states; one that is cancelled and open still is `Ending`. */
export const STATE_LABELS: Record<Subscription['status'], string> = {
  none: 'None',
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Unpaid',
  lapsed: 'Lapsed',
  canceled: 'Ended',
};

/** What a subscription is, as its badge and one sentence. */
export function stateWords(subscription: Facts): { label: string; tone: Tone; text: string } {
  const {
    status,
    cancel_at_period_end: isEnding,
    current_period_end: end,
    trial_end: trialEnd,
  } = subscription;
  switch (status) {
    case 'none':
      return { label: STATE_LABELS.none, tone: 'neutral', text: 'This community has never subscribed.' };
    case 'trialing':
      return {
        label: STATE_LABELS.trialing,
        tone: 'accent',
        text: isEnding
          ? `Free until ${formatDate(trialEnd)}. It ends then.`
          : `Free until ${formatDate(trialEnd)}, then paid.`,
      };
    case 'active':
      return isEnding
        ? { label: 'Ending', tone: 'caution', text: `Cancelled. It stays open until ${formatDate(end)}.` }
        : { label: STATE_LABELS.active, tone: 'positive', text: `Renews on ${formatDate(end)}.` };
    case 'past_due':
      return {
        label: STATE_LABELS.past_due,
        tone: 'caution',
        text: `Unpaid since ${formatDate(subscription.unpaid_since)}.`,
      };
    case 'lapsed':
      return { label: STATE_LABELS.lapsed, tone: 'negative', text: lapsedWords(subscription) };
    case 'canceled':
      return {
        label: STATE_LABELS.canceled,
        tone: 'neutral',
        text: `It ended on ${formatDate(subscription.closed_at)}.`,
      };
  }
}

/** Only an unpaid invoice says that it was not paid: without one, Stripe has said nothing of a payment. */
function lapsedWords(subscription: Facts): string {
  const { closed_at: closed, trial_end: trialEnd, unpaid_since: unpaidSince } = subscription;
  const on = `Closed on ${formatDate(closed)}`;
  if (unpaidSince !== null)
    return `${on}, because it was not paid. Change the card under Manage: it opens again with the payment.`;
  if (trialEnd !== null && trialEnd === closed)
    return `${on}, when the trial ended without a payment. Add a card under Manage.`;
  return `${on}: Stripe has not reported the renewal of ${formatDate(subscription.current_period_end)}. Check under Manage whether it was paid.`;
}

interface NoticeWords {
  tone: 'caution' | 'negative';
  title: string;
  text: string;
}

const PAYMENT_NOTICES: Record<NonNullable<Subscription['payment_notice']>, NoticeWords> = {
  refunded: {
    tone: 'caution',
    title: 'The last payment was refunded',
    text: 'The subscription goes on. Cancel it if that is not intended.',
  },
  disputed: {
    tone: 'caution',
    title: 'The last payment is disputed',
    text: 'The bank of the cardholder asks for the money back. Answer in the dashboard of Stripe.',
  },
  dispute_lost: {
    tone: 'negative',
    title: 'The dispute of the last payment is lost',
    text: 'The bank has returned the money. Cancel the subscription, or ask for another card.',
  },
};

/** What needs attention, most urgent first. */
export function noticesOf(subscription: Facts): NoticeWords[] {
  const { status, grace_until: until, payment_notice: payment } = subscription;
  return [
    ...(subscription.has_duplicate
      ? [
          {
            tone: 'negative' as const,
            title: 'Two subscriptions are paid',
            text: 'Stripe bills this community more than once. Cancel one of them under Manage.',
          },
        ]
      : []),
    ...(status === 'past_due'
      ? [
          {
            tone: 'caution' as const,
            title: 'The last payment failed',
            text: `Everything stays open until ${formatDate(until)}. Change the card under Manage.`,
          },
        ]
      : []),
    ...(payment && status !== 'canceled' ? [PAYMENT_NOTICES[payment]] : []),
  ];
}

export const INTERVAL_WORDS: Record<Interval, { label: string; unit: string }> = {
  monthly: { label: 'Monthly', unit: 'a month' },
  yearly: { label: 'Yearly', unit: 'a year' },
};

/** As in `$199 a month`. */
export function priceWords(price: string, interval: Interval): string {
  return `${formatUsd(price).replace(/[.,]00$/, '')} ${INTERVAL_WORDS[interval].unit}`;
}

/** The intervals that can be bought now. */
export function offeredIntervals({
  is_configured,
  status,
  plans,
}: Pick<Subscription, 'is_configured' | 'status' | 'plans'>): Interval[] {
  const isBuyable = is_configured && (status === 'none' || status === 'canceled');
  return isBuyable ? offeredPlans(plans).map(([interval]) => interval) : [];
}

/** Whether the owner can pay now, by a link: for a plan, or what is unpaid. */
export const isPayable = (
  subscription: Pick<Subscription, 'is_configured' | 'status' | 'plans' | 'unpaid_since'>,
): boolean =>
  offeredIntervals(subscription).length > 0 ||
  (subscription.is_configured &&
    subscription.unpaid_since !== null &&
    (subscription.status === 'past_due' || subscription.status === 'lapsed'));

/** What became of the link that was sent last. */
export const SENT_WORDS = {
  queued: 'It waits to be sent.',
  sent: 'It was sent.',
  failed: 'It was not delivered.',
} as const;

/** Whether the payment that a person has just made is known here. */
export const isConfirmed = ({ status }: Subscription) => status === 'active' || status === 'trialing';
