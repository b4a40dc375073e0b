import { averagePerMonth, formatCount, formatDate, payoutPeriod } from '@copydesk/domain';
import { exactUsdt, formatAverage } from '../../../../lib/payout-words.ts';
import type { TypeSummary } from '../history-queries.ts';
import { partsOf } from './type-parts.ts';

/** The ordered amount of a recipient type, its outcome, its period, and the average per month. */
export function TypeTip({ summary }: { summary: TypeSummary }) {
  const { total_amount, first_at, last_at } = summary;
  const period = payoutPeriod(first_at, last_at);
  const facts = [
    ['Total', exactUsdt(total_amount)],
    ...partsOf(summary).map(({ label, amount, count }) => [
      label,
      `${exactUsdt(amount)} in ${formatCount(count)}`,
    ]),
    ['Period', period.label],
    ['Average per month', `${formatAverage(averagePerMonth(total_amount, period))} USDT`],
    ['First', formatDate(first_at)],
    ['Last', formatDate(last_at)],
  ];
  return (
    <dl className="space-y-0.5 tabular-nums">
      {facts.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-6">
          <dt className="text-muted">{name}</dt>
          <dd className="font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
