import type { PnlDay } from '@copydesk/domain/trading';
import type { Days } from '../../../../lib/url/range-days.ts';

const monthOf = (day: string) => day.slice(0, 7);

/**
 * The calendar's month and the months to choose from: those of the range, from the first day with a closed position.
 * Without a valid choice it is the newest month with one.
 * @param days oldest first
 */
export function shownMonth(days: readonly Pick<PnlDay, 'day'>[], range: Days, asked: string | undefined) {
  const newest = monthOf(days.at(-1)?.day ?? range.to);
  const last = monthOf(range.to);
  const first = monthOf(days[0]?.day ?? range.to);
  const month = asked && asked >= first && asked <= last ? asked : newest;
  return { month, hasEarlier: month > first, hasLater: month < last };
}
