import type { Payable, SubscriptionInterval } from '@copydesk/domain/billing';
import type { Language } from '@copydesk/domain/catalogue';
import { textsIn } from './texts/catalogues.ts';
import { escapeHtml, leftToRight, nameInText } from './texts/markup.ts';

/** Renders the message with the link by which the owner of a community pays, in the HTML of the Bot API. */
export function renderPaymentLink(
  { community, payable, link }: { community: string; payable: Payable; link: string },
  { language, name }: { language: Language; name: string | null },
): string {
  const text = textsIn(language);
  const shownName = nameInText(name);
  return [
    shownName ? text('greeting', { name: shownName }) : text('greeting_nameless'),
    '',
    text(payable === 'plan' ? 'payment_link' : 'payment_link_unpaid', {
      community: nameInText(community) ?? community,
    }),
    paymentLink(link, language),
  ].join('\n');
}

/** Not the bare address: a messenger could take the marks around it for a part of it. */
export const paymentLink = (link: string, language: Language): string =>
  `<a href="${escapeHtml(link)}">${textsIn(language)('owner_payment_open')}</a>`;

/** The words of the page behind the link, as plain text. */
export function renderPaymentPage(community: string, language: Language) {
  const text = textsIn(language);
  return {
    title: text('owner_payment_title', { community: nameInText(community) ?? community }),
    plan: text('owner_payment_plan'),
    unpaid: text('owner_payment_unpaid'),
    pay: text('owner_payment_pay'),
    awaited: text('owner_payment_awaited'),
    failed: text('owner_payment_failed'),
    paid: text('owner_payment_paid'),
    over: text('owner_payment_over'),
  };
}

/** A plan with its price in USD, as plain text. */
export const renderPlan = (interval: SubscriptionInterval, usd: string, language: Language): string =>
  textsIn(language)(`owner_payment_${interval}`, { price: leftToRight(`$${usd.replace(/\.00$/, '')}`) });
