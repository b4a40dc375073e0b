import { EXCHANGE_NAMES } from '@copydesk/domain/catalogue';
import { formatCount, formatUsd } from '../../../lib/format/numbers.ts';
import { readTime } from '../../../lib/format/read-time.ts';
import type { Difference } from './differences-query.ts';

/** How many there are, in a sentence. */
export const differencesTitle = (total: number): string =>
  total === 1
    ? '1 difference between invoices and exchanges'
    : `${formatCount(total)} differences between invoices and exchanges`;

/** What differs, in a sentence. */
export function differenceText({
  kind,
  exchange,
  acc_uid,
  symbol,
  invoiced_profit,
  reported_profit,
  unread,
}: Pick<
  Difference,
  'kind' | 'exchange' | 'acc_uid' | 'symbol' | 'invoiced_profit' | 'reported_profit' | 'unread'
>): string {
  const venue = EXCHANGE_NAMES[exchange];
  if (kind === 'unread_closes')
    return `${venue} account ${acc_uid} was not read from ${readTime(unread?.since ?? '')} until its removal at ${readTime(unread?.until ?? '')}.`;
  if (kind === 'doubled_close')
    return `${symbol} at ${venue}, a profit of ${formatUsd(invoiced_profit)}, is on two invoices.`;
  return `${symbol} was invoiced with a profit of ${formatUsd(invoiced_profit)}. ${venue} reports ${formatUsd(reported_profit)} since.`;
}

/** The title of the notice: what is to be decided, or else what next invoices are less by. */
export const noticeTitle = (differences: number, deductions: number): string =>
  differences > 0
    ? differencesTitle(differences)
    : deductions === 1
      ? 'Next invoices are less by 1 deduction'
      : `Next invoices are less by ${formatCount(deductions)} deductions`;
