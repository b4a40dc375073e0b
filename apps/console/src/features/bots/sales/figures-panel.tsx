import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../lib/api/api-error.ts';
import { splitWords } from '../../../lib/format/figures.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { formatUsdt } from '../../../lib/format/usdt.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { DaysTable } from '../../../ui/figures/charts/days-table.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { saleFiguresQuery } from '../bot-queries.ts';

const partWords = ({ sold, amount }: { sold: number; amount: string }) =>
  `${formatCount(sold)} · ${formatUsdt(amount)} USDT`;

/** What the bot has sold in the last 30 days. */
export function FiguresPanel({ botId }: { botId: string }) {
  const { data, error, refetch } = useQuery(saleFiguresQuery(botId));
  return (
    <Panel title="Sales" note="Last 30 days, UTC">
      <QueryState
        small
        error={error && !data ? { title: 'The sales could not be loaded', message: messageOf(error) } : null}
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading sales..." />}
        isEmpty={false}
        empty={null}
      >
        {data && (
          <>
            <Facts>
              <Fact label="Sold">
                <span className="font-semibold">{partWords(data.total)}</span>
              </Fact>
              {data.plans.map((plan) => (
                <Fact key={plan.plan_id} label={plan.plan_name}>
                  {partWords(plan)}
                </Fact>
              ))}
              {data.coupons.map((coupon) => (
                <Fact key={coupon.code} label={`With ${coupon.code}`}>
                  {partWords(coupon)} after <Money amount={coupon.discount} as="bare" /> off
                </Fact>
              ))}
              <Fact label="Split now">{splitWords(data.community_percentage)}</Fact>
              <Fact label="Access now">
                <Count n={data.subscribers} plain="They are listed below" />
              </Fact>
            </Facts>
            {data.days.length > 0 && (
              <DaysTable
                label="Sales by day"
                summary="By day"
                days={data.days}
                columns={[
                  { header: 'Sold', textOf: ({ sold }) => formatCount(sold) },
                  { header: 'USDT', textOf: ({ amount }) => formatUsdt(amount) },
                ]}
              />
            )}
          </>
        )}
      </QueryState>
    </Panel>
  );
}
