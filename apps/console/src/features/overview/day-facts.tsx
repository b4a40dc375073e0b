import type { DayFact } from '@copydesk/domain/overview';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Fact, Facts } from '../../ui/figures/fact.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { dayQuery } from './overview-query.ts';

/** The count of a fact, which leads to the list of what it counts. */
export type DayCounts = Readonly<
  Record<DayFact, (shown: { n: number; of: readonly [one: string, many: string] }) => ReactNode>
>;

const WORDS: Readonly<Record<DayFact, { label: string; of: readonly [one: string, many: string] }>> = {
  invoices: { label: 'Invoiced by runs', of: ['invoice', 'invoices'] },
  deposits: { label: 'Deposited', of: ['deposit', 'deposits'] },
  payouts: { label: 'Paid out', of: ['payout', 'payouts'] },
  harvests: { label: 'Harvested', of: ['cycle', 'cycles'] },
};
const PLACES = Object.keys(WORDS) as DayFact[];

/** What the system did today, in a line each: one entry for every invoice and deposit would hide what people did. */
export function DayFacts({ counts }: { counts: DayCounts }) {
  const { data, error, refetch } = useQuery(dayQuery);
  return (
    <section aria-label="By the system" className="border-b border-line px-4 py-2">
      <QueryState
        small
        error={error && !data ? { title: 'The day could not be loaded', message: messageOf(error) } : null}
        onRetry={() => void refetch()}
        isLoading={false}
        loading={null}
        isEmpty={false}
        empty={null}
      >
        <Facts look="small">
          {PLACES.map((name) => {
            const fact = data?.find((each) => each.name === name);
            const { label, of } = WORDS[name];
            return (
              <Fact key={name} label={label}>
                {fact ? (
                  <Day {...fact} count={counts[name]({ n: fact.count, of })} n={fact.count} />
                ) : (
                  '\u00a0'
                )}
              </Fact>
            );
          })}
        </Facts>
      </QueryState>
    </section>
  );
}

function Day({ n, amount, count }: { n: number; amount: string | null; count: ReactNode }) {
  if (n === 0) return <span className="text-muted">None</span>;
  return (
    <>
      {amount !== null && (
        <>
          <Money amount={amount} /> in{' '}
        </>
      )}
      {count}
    </>
  );
}
