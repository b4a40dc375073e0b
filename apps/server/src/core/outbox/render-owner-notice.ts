import type { Language } from '@copydesk/domain/catalogue';
import type { OwnerMessageKind } from '@copydesk/domain/messages';
import { exactText } from './texts/amount-text.ts';
import { textsIn } from './texts/catalogues.ts';
import { copyable, escapeHtml, leftToRight, nameInText } from './texts/markup.ts';

/** The facts in a message to the owner of a community. */
export interface OwnerFacts {
  community: string;
  /** Read at the exchange. Base units of USDT. */
  balanceUnits: bigint;
  /** The pool's proxy wallet. */
  address: string;
  /** Where the owner reports the withdrawal. */
  link: string;
}

export const NETWORK = leftToRight('BNB Smart Chain (BEP-20)');

/** Renders a message to an owner in the HTML of the Bot API. The address is the only one in it, and the link
 * names this withdrawal. */
export function renderOwnerNotice(
  kind: OwnerMessageKind,
  { community, balanceUnits, address, link }: OwnerFacts,
  { language, name }: { language: Language; name: string | null },
): string {
  const text = textsIn(language);
  const shownName = nameInText(name);
  const lines = [
    shownName ? text('greeting', { name: shownName }) : text('greeting_nameless'),
    '',
    text(kind, { community: nameInText(community) ?? community }),
  ];
  if (kind === 'withdrawal_cancelled') return lines.join('\n');
  const amount = leftToRight(`${copyable(exactText(balanceUnits))} USDT`);
  return [
    ...lines,
    '',
    text('withdraw_to', { amount, network: NETWORK }),
    leftToRight(copyable(address)),
    '',
    text('withdraw_all'),
    '',
    text('withdraw_report'),
    // Not the bare address: a messenger could take the marks around it for a part of it.
    `<a href="${escapeHtml(link)}">${text('owner_page_report')}</a>`,
  ].join('\n');
}
