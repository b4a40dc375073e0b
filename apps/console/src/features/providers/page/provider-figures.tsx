import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../lib/api/api-error.ts';
import { aumWords, flooredTo2 } from '../../../lib/format/figures.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { InfoTip } from '../../../ui/feedback/info-tip.tsx';
import { Facts } from '../../../ui/figures/fact.tsx';
import { FigureCard } from '../../../ui/figures/figure-card.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { providerFiguresQuery } from '../providers-queries.ts';

const CARD = 'rounded-lg border border-line bg-surface';

const counted = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** Traders, invoices and shares of a provider. */
export function ProviderFigureCards({ providerId }: { providerId: string }) {
  const { data, error, refetch } = useQuery(providerFiguresQuery(providerId));
  if (error && !data) return <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />;
  const share = data?.share;
  return (
    <Facts
      aria-label="Figures"
      aria-busy={!data}
      className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4 xl:gap-4"
    >
      <FigureCard
        label="AUM, the provider's part"
        className={CARD}
        tip={
          data && (
            <InfoTip
              about="the AUM"
              text={`Accounts under this provider, and the pool capital of the traders whom it sees. ${aumWords(data)}`}
            />
          )
        }
        note={data && counted(data.trader_count, 'trader', 'traders')}
      >
        {data && <Money amount={data.total_aum} as="equity" />}
      </FigureCard>
      <FigureCard
        label="Communities"
        className={CARD}
        note={data && `${counted(data.staff_count, 'member', 'members')} of staff`}
      >
        {data && <Count n={data.community_count} plain="They are listed below" />}
      </FigureCard>
      <FigureCard
        label="Unpaid invoices"
        className={CARD}
        note={
          data &&
          `${formatCount(data.invoices.unpaid.count)} unpaid, ${formatCount(data.invoices.overdue.count)} overdue · ${formatCount(data.invoices.paid.count)} paid`
        }
      >
        {data && <Money amount={data.invoices.unpaid.amount} as="cents" />}
      </FigureCard>
      <FigureCard
        label="Share to pay out"
        className={CARD}
        tip={
          <InfoTip
            about="the share"
            text="The provider's shares of paid invoices that no payout covers yet. Sums as of the time above."
          />
        }
        note={
          share && (
            <span>
              {Number(share.failed) > 0 && `${flooredTo2(share.failed)} failed · `}
              {Number(share.under_way) > 0 && `${flooredTo2(share.under_way)} under way · `}
              <Money amount={share.paid_out} as="cents" /> paid out
            </span>
          )
        }
      >
        {share && <Money amount={share.pending} as="cents" />}
      </FigureCard>
    </Facts>
  );
}
