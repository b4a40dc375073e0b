import type { BillingReminder } from '@copydesk/domain/billing';

interface Facts {
  communityId: string;
  community: string;
  at: Date;
  origin: string;
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const WORDS: Record<BillingReminder, (community: string, on: string) => { subject: string; text: string }> = {
  trial_ending: (community, on) => ({
    subject: `The trial of ${community} ends on ${on}`,
    text: `The trial of the subscription of ${community} ends on ${on}. It then becomes a paid subscription.`,
  }),
  payment_failed: (community, on) => ({
    subject: `The payment for ${community} failed`,
    text: `The payment for the subscription of ${community} failed. Everything stays open until ${on}. Check the payment method on the page of the payment service.`,
  }),
  grace_ending: (community, on) => ({
    subject: `The subscription of ${community} is still unpaid`,
    text: `The subscription of ${community} is still unpaid. After ${on} its exchange bot can no longer be switched on.`,
  }),
  subscription_ended: (community, on) => ({
    subject: `The subscription of ${community} has ended`,
    text: `The subscription of ${community} ended on ${on}. Its exchange bot can no longer be switched on. Traders, invoices and payouts are not affected.`,
  }),
};

/** The e-mail of a reminder, as plain text. */
export function reminderMail(
  kind: BillingReminder,
  { communityId, community, at, origin }: Facts,
): { subject: string; body: string } {
  // Keeps a name in a mail header on one line.
  const name = community.replace(/\s+/g, ' ').trim();
  const { subject, text } = WORDS[kind](name, `${day.format(at)} (UTC)`);
  return {
    subject,
    body: `${text}\n\nManage the subscription:\n${origin}/community-settings/${communityId}?tab=settings\n`,
  };
}
