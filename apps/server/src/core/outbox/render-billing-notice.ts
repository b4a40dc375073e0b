import type { BillingReminder } from '@copydesk/domain/billing';
import type { Language } from '@copydesk/domain/catalogue';
import { paymentLink } from './render-payment-link.ts';
import { textsIn } from './texts/catalogues.ts';
import { dateIn } from './texts/date-text.ts';
import { nameInText } from './texts/markup.ts';

/**
 * Renders a message about the subscription of a community to its owner, in the HTML of the Bot API.
 * @param link where the owner pays; a trial that ends has nothing to pay
 */
export function renderBillingNotice(
  kind: BillingReminder,
  { community, at, link }: { community: string; at: Date; link: string },
  { language, name }: { language: Language; name: string | null },
): string {
  const text = textsIn(language);
  const shownName = nameInText(name);
  return [
    shownName ? text('greeting', { name: shownName }) : text('greeting_nameless'),
    '',
    text(kind, { community: nameInText(community) ?? community, day: dateIn(language, at) }),
    ...(kind === 'trial_ending' ? [] : [paymentLink(link, language)]),
  ].join('\n');
}
