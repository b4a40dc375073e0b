import { EXCHANGE_NAMES } from '@copydesk/domain/catalogue';
import type { ExportList, ExportReason } from '@copydesk/domain/exports';
import { formatCount } from '../../lib/format/numbers.ts';
import type { Tone } from '../../ui/feedback/badge.tsx';
import type { Export } from './exports-queries.ts';

export const LIST_NAMES: Record<ExportList, string> = {
  traders: 'Traders',
  closed_positions: 'Position History',
  invoices: 'Invoices',
  payouts: 'Transaction History',
  audit: 'Audit',
  refusals: 'Security Log',
};

export const REASONS: Record<ExportReason, string> = {
  access_changed: 'Your access changed before it was finished.',
  not_found: 'The list is no longer there for you.',
  outdated: 'This version has other filters. Set them again in the list.',
  too_slow: 'It took too long. Narrow the filters of the list.',
  failed: 'It was tried three times. Try it later.',
};

/** What filters are called, where the screens have another word than their calls. */
const FILTERS: Readonly<Record<string, string>> = {
  acc_uid: 'Account',
  actor_id: 'Person',
  actor_kind: 'By',
  address: 'Network',
  community_id: 'Community',
  created_at_from: 'From',
  created_at_to: 'To',
  distribution_id: 'Distribution',
  id: 'Trader',
  is_archived: 'Archived',
  is_paid: 'Paid',
  provider_id: 'Provider',
  tab: 'List',
  target_id: 'Target',
};
const ORDERS: Readonly<Record<string, string>> = { asc: 'ascending', desc: 'descending' };
const VALUES: Readonly<Record<string, string>> = { ...EXCHANGE_NAMES, true: 'yes', false: 'no' };

const inWords = (name: string) => name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());

/**
 * The filters of an export, as in `Community: Blue Harbor · Status: paid`, and its order.
 * @param names of communities and providers, by their ids
 */
export function filtersInWords(
  { params, query, is_selection }: Export,
  names: ReadonlyMap<string, string>,
): string {
  const { orderBy, orderDir, search_in: searchIn, ...filters } = { ...params, ...query };
  const words = Object.entries(filters).map(
    ([name, value]) => `${FILTERS[name] ?? inWords(name)}: ${names.get(value) ?? VALUES[value] ?? value}`,
  );
  if (is_selection) words.unshift('Selected rows');
  if (searchIn === 'other') words.push('Searched in: other fields');
  if (orderBy) words.push(`By ${inWords(orderBy).toLowerCase()}, ${ORDERS[orderDir ?? 'desc']}`);
  return words.join(' · ');
}

/** How far it is, as in `12,000 of 100,200 rows`. */
function progressText({ rows, rows_expected: expected }: Export): string {
  return expected === null
    ? `${formatCount(rows)} rows`
    : `${formatCount(rows)} of ${formatCount(expected)} rows`;
}

interface Shown {
  label: string;
  tone: Tone;
  text: string;
  /** What can be done: wait for it, save the file, or begin again. */
  offers: 'wait' | 'file' | 'again';
}

export function shownState(row: Export, now: Date): Shown {
  const { state, rows, reason, expires_at: expiresAt, is_covered: isCovered } = row;
  switch (state) {
    case 'waiting':
      return { label: 'Waiting', tone: 'neutral', text: progressText(row), offers: 'wait' };
    case 'running':
      return { label: 'Running', tone: 'neutral', text: progressText(row), offers: 'wait' };
    case 'failed':
      return { label: 'Failed', tone: 'negative', text: reason ? REASONS[reason] : '', offers: 'again' };
    case 'ready':
      if (expiresAt !== null && new Date(expiresAt) <= now)
        return { label: 'Expired', tone: 'neutral', text: 'Files are kept for seven days.', offers: 'again' };
      if (!isCovered)
        return {
          label: 'Access changed',
          tone: 'caution',
          text: 'You no longer see all of its rows.',
          offers: 'again',
        };
      return { label: 'Ready', tone: 'positive', text: `${formatCount(rows)} rows`, offers: 'file' };
  }
}

/** The size of a file: `640 kB`, `12.4 MB`. */
export function sizeText(bytes: number): string {
  const [unit, size] = bytes < 1_000_000 ? ['kB', bytes / 1_000] : ['MB', bytes / 1_000_000];
  return `${size < 10 ? Math.max(0.1, size).toFixed(1) : Math.round(size)} ${unit}`;
}
