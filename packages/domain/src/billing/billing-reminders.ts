import { type BilledSubscription, subscriptionAccess } from './subscription.ts';

/** Reminders to the people of a community about its subscription. */
export const BILLING_REMINDERS = [
  'trial_ending',
  'payment_failed',
  'grace_ending',
  'subscription_ended',
] as const;
export type BillingReminder = (typeof BILLING_REMINDERS)[number];

/** Kinds of messages to owners of communities about their subscription: the reminders, and the link that a person sends. */
export const BILLING_MESSAGE_KINDS = [...BILLING_REMINDERS, 'payment_link'] as const;
export type BillingMessageKind = (typeof BILLING_MESSAGE_KINDS)[number];

export interface DueBillingReminder {
  kind: BillingReminder;
  /** The same for the same fact, so that each is sent once. */
  key: string;
  /** The day in its text: when the trial, the grace period or the subscription ends or ended. */
  at: Date;
}

const DAY_MS = 86_400_000;
const TRIAL_ENDING_MS = 3 * DAY_MS;
const GRACE_ENDING_MS = 2 * DAY_MS;
/** An older end is no news: it was read for the first time long afterwards. */
const ENDED_REACH_MS = 7 * DAY_MS;

/** The reminders that are due now. Those sent before are among them: the caller knows their keys. */
export function dueBillingReminders(
  subscription: BilledSubscription & { id: string },
  { now, graceDays }: { now: Date; graceDays: number },
): DueBillingReminder[] {
  const { id, status, trialEnd, unpaidSince } = subscription;
  const { state, graceUntil, closedAt } = subscriptionAccess(subscription, { now, graceDays });
  const reminder = (kind: BillingReminder, fact: Date, at: Date): DueBillingReminder => ({
    kind,
    key: `${kind}:${id}:${fact.toISOString()}`,
    at,
  });
  if (state === 'trialing' && trialEnd) {
    const leftMs = trialEnd.getTime() - now.getTime();
    return leftMs > 0 && leftMs <= TRIAL_ENDING_MS ? [reminder('trial_ending', trialEnd, trialEnd)] : [];
  }
  if (state === 'past_due' && unpaidSince && graceUntil) {
    const failed = reminder('payment_failed', unpaidSince, graceUntil);
    const beginsAt = graceUntil.getTime() - GRACE_ENDING_MS;
    // In a short grace period the failure itself is the warning.
    const isEnding = beginsAt > unpaidSince.getTime() && now.getTime() >= beginsAt;
    return isEnding ? [failed, reminder('grace_ending', unpaidSince, graceUntil)] : [failed];
  }
  // A subscription without news of its renewal may well be paid: the daily comparison finds out.
  const isKnown = status !== 'active' && status !== 'trialing';
  if (closedAt && isKnown && now.getTime() - closedAt.getTime() < ENDED_REACH_MS && now >= closedAt)
    // The end of the grace period and the cancellation that follows it are one fact.
    return [reminder('subscription_ended', unpaidSince ?? closedAt, closedAt)];
  return [];
}
