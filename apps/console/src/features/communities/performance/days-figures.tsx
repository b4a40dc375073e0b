import { sumDecimals } from '@copydesk/domain/money';
import { signOf } from '@copydesk/domain/trading';
import { formatPnl } from '../../../lib/format/figures.ts';
import { formatDate } from '../../../lib/format/read-time.ts';
import { Facts, StackedFact } from '../../../ui/figures/fact.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { SignedFigure } from '../../../ui/figures/signed-figure.tsx';
import type { CommunityDay } from './days-query.ts';

const onDays = (count: number) => `on ${count} ${count === 1 ? 'day' : 'days'}`;
const hasMoney = (amount: string) => /[1-9]/.test(amount);

/** A range of days in four figures. */
export function DaysFigures({ days }: { days: readonly CommunityDay[] }) {
  const recorded = days.filter((day) => day.aum !== null);
  const [first, last] = [recorded[0], recorded.at(-1)];
  const change = first?.aum && last?.aum ? sumDecimals([last.aum, `-${first.aum}`]) : null;
  return (
    <Facts className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <StackedFact size="medium" label="AUM" note={last ? formatDate(last.day) : 'not recorded'}>
        <Money amount={last?.aum} as="equityCents" />
      </StackedFact>
      <StackedFact
        size="medium"
        label={first ? `Change since ${formatDate(first.day)}` : 'Change'}
        note={first ? 'results, deposits and withdrawals' : 'not recorded'}
      >
        <SignedFigure text={formatPnl(change)} sign={signOf(change)} />
      </StackedFact>
      <StackedFact
        size="medium"
        label="Received"
        note={onDays(days.filter(({ received }) => hasMoney(received)).length)}
      >
        <Money amount={sumDecimals(days.map(({ received }) => received))} as="usd" />
      </StackedFact>
      <StackedFact
        size="medium"
        label="Paid out"
        note={onDays(days.filter(({ paid_out }) => hasMoney(paid_out)).length)}
      >
        <Money amount={sumDecimals(days.map(({ paid_out }) => paid_out))} as="usd" />
      </StackedFact>
    </Facts>
  );
}
