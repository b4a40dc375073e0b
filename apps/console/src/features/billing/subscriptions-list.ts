import { SUBSCRIPTION_STATES, type SubscriptionState } from '@copydesk/domain/billing';
import { searchedText } from '@copydesk/domain/text';
import { defineList } from '../../lib/list/define-list.ts';
import { among, choice, search } from '../../lib/list/filters.ts';
import type { ListedSubscription } from './subscription-query.ts';
import { INTERVAL_WORDS } from './subscription-texts.ts';

/** The default comes first: subscriptions that need a person, then by the date of the next event. */
const SORT_COLUMNS = ['urgency', 'next', 'name'] as const;

const intervals = (['monthly', 'yearly'] as const).map((value) => ({
  value,
  label: INTERVAL_WORDS[value].label,
}));

export const subscriptionsList = defineList({
  filters: { search: search('search'), interval: choice('Plan', 'interval', intervals) },
  // The tab, with a count for each.
  rest: { state: among(SUBSCRIPTION_STATES) },
  kept: ['state'],
  columns: SORT_COLUMNS,
});

/** The parameters of the screen's URL. A missing one has its default. */
export type SubscriptionsSearch = ReturnType<typeof subscriptionsList.read>;
export type SubscriptionsFilters = ReturnType<typeof subscriptionsList.complete> &
  Pick<SubscriptionsSearch, 'state'>;

/** The day on which the next thing happens to it, or the last happened; null: it never began. */
export function nextDay(subscription: ListedSubscription): string | null {
  const { status, current_period_end: end } = subscription;
  const days: Record<SubscriptionState, string | null> = {
    none: null,
    trialing: subscription.trial_end ?? end,
    active: end,
    past_due: subscription.grace_until,
    lapsed: subscription.closed_at,
    canceled: subscription.closed_at,
  };
  return days[status];
}

/** Which asks for a person first. */
const RANKS: Record<SubscriptionState, number> = {
  past_due: 5,
  lapsed: 4,
  trialing: 3,
  active: 2,
  canceled: 1,
  none: 0,
};
/** Above all others: money is taken twice, or wanted back. */
const rankOf = ({ status, has_duplicate, payment_notice }: ListedSubscription) =>
  RANKS[status] + (has_duplicate || (payment_notice !== null && status !== 'canceled') ? 10 : 0);
/** A row without a next day comes after all others. */
const timeOf = (row: ListedSubscription) => {
  const day = nextDay(row);
  return day === null ? Number.MAX_SAFE_INTEGER : Date.parse(day);
};

const byName = (a: ListedSubscription, b: ListedSubscription) => a.community.localeCompare(b.community, 'en');
const ORDERS: Record<
  SubscriptionsFilters['sort']['column'],
  (a: ListedSubscription, b: ListedSubscription) => number
> = {
  // In its descending order the sooner day comes first.
  urgency: (a, b) => rankOf(a) - rankOf(b) || timeOf(b) - timeOf(a),
  next: (a, b) => timeOf(a) - timeOf(b),
  name: byName,
};

/** The subscriptions that match, but for the tab, and how many each tab has. All of them are in the browser. */
export function narrowSubscriptions(
  all: readonly ListedSubscription[],
  { search: text, interval, state, sort: { column, direction } }: SubscriptionsFilters,
): { rows: ListedSubscription[]; counts: Record<SubscriptionState | 'all', number> } {
  const wanted = searchedText(text ?? '').toLowerCase();
  const found = all.filter(
    (row) =>
      row.community.toLowerCase().includes(wanted) && (interval === undefined || row.interval === interval),
  );
  const counts = { all: found.length } as Record<SubscriptionState | 'all', number>;
  for (const each of SUBSCRIPTION_STATES) counts[each] = 0;
  for (const { status } of found) counts[status] += 1;
  const sign = direction === 'asc' ? 1 : -1;
  const rows = found
    .filter(({ status }) => state === undefined || status === state)
    .toSorted((a, b) => sign * ORDERS[column](a, b) || byName(a, b));
  return { rows, counts };
}
