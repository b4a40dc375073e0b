import type { Language } from '@copydesk/domain/catalogue';
import { NETWORK } from './render-owner-notice.ts';
import { exactText } from './texts/amount-text.ts';
import { textsIn } from './texts/catalogues.ts';
import { leftToRight, nameInText } from './texts/markup.ts';

/** Everything that the page says. */
export interface OwnerPageWords {
  title: string;
  ask: string;
  all: string;
  report: string;
  reported: string;
  over: string;
}

/** The words of the page where an owner reports a withdrawal, as plain text. */
export function renderOwnerPage(
  { community, balanceUnits }: { community: string; balanceUnits: bigint },
  language: Language,
): OwnerPageWords {
  const text = textsIn(language);
  const amount = leftToRight(`${exactText(balanceUnits)} USDT`);
  return {
    title: text('owner_page_title', { community: nameInText(community) ?? community }),
    ask: text('withdraw_to', { amount, network: NETWORK }),
    all: text('withdraw_all'),
    report: text('owner_page_report'),
    reported: text('owner_page_reported'),
    over: text('owner_page_over'),
  };
}
