import { SIGNUP_SOURCES, type SignupSource } from '@copydesk/domain/traders';
import type { SignupDay } from './signups-query.ts';

export const SOURCE_WORDS: Record<SignupSource, { label: string; color: string }> = {
  referral: { label: 'Referral', color: 'var(--accent)' },
  bot: { label: 'Telegram bot', color: 'var(--series-2)' },
  program: { label: 'Program', color: 'var(--series-3)' },
  staff: { label: 'Staff', color: 'var(--series-4)' },
  unknown: { label: 'Not recorded', color: 'var(--muted)' },
};

/** How many joined by each source that has any, in the order of the sources. */
export function sourceTotals(days: readonly SignupDay[]): { source: SignupSource; traders: number }[] {
  return SIGNUP_SOURCES.map((source) => ({
    source,
    traders: days.reduce((sum, { sources }) => sum + sources[source], 0),
  })).filter(({ traders }) => traders > 0);
}

const DAY_MS = 86_400_000;
const NONE = { referral: 0, bot: 0, program: 0, staff: 0, unknown: 0 } satisfies SignupDay['sources'];

/** Every day of a range up to its last one, from its first sign-up if that is later. */
export function withEmptyDays(
  days: readonly SignupDay[],
  range: { from: string; to: string },
): (SignupDay & { day: string })[] {
  const [first] = days;
  if (!first) return [];
  // A range without a beginning starts long before any trader.
  const startMs = Math.max(Date.parse(range.from), Date.parse(first.from) - 30 * DAY_MS);
  const known = new Map(days.map((day) => [day.from, day]));
  const length = Math.round((Date.parse(range.to) - startMs) / DAY_MS) + 1;
  return Array.from({ length }, (_, index) => {
    const day = new Date(startMs + index * DAY_MS).toISOString().slice(0, 10);
    return { ...(known.get(day) ?? { from: day, traders: 0, sources: NONE }), day };
  });
}
