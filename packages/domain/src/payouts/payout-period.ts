const DAY_MS = 86_400_000;
/** 30.44 days, the month of averages (console spec, section 9): whole milliseconds divide exactly, such days do not. */
const MONTH_MS = 2_630_016_000;

/** The period from the first to the last payout. */
export interface PayoutPeriod {
  days: number;
  months: number;
  /** Days under a month, months to 1 decimal under 12, else years to 1 decimal. */
  label: string;
}

/** @param first @param last ISO 8601, the first and the last payout */
export function payoutPeriod(first: string, last: string): PayoutPeriod {
  const ms = Math.max(0, Date.parse(last) - Date.parse(first));
  const [days, months] = [ms / DAY_MS, ms / MONTH_MS];
  return { days, months, label: labelOf(days, months) };
}

function labelOf(days: number, months: number): string {
  if (months < 1) return counted(Math.round(days), 'day');
  if (months < 12) return counted(Number(months.toFixed(1)), 'month');
  return counted(Number((months / 12).toFixed(1)), 'year');
}

const counted = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`;

/**
 * The average paid per month, for display. A shorter period counts as one month, because a few days are no basis for an
 * average.
 * @param total USDT, decimal string
 */
export function averagePerMonth(total: string, { months }: PayoutPeriod): number {
  return Number(total) / Math.max(1, months);
}
