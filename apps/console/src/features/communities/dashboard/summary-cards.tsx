import type { DashboardFigures } from '@copydesk/domain/pools';
import { type AumSums, aumWords } from '../../../lib/format/figures.ts';
import { InfoTip } from '../../../ui/feedback/info-tip.tsx';
import { Facts } from '../../../ui/figures/fact.tsx';
import { FigureCard } from '../../../ui/figures/figure-card.tsx';
import { Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import {
  communitySplitWords,
  countsWords,
  revenueWords,
  superAdminSplitWords,
  tradersWords,
  UNKNOWN,
} from './figure-texts.ts';

const CARD = 'rounded-lg border border-line bg-surface';
const SPLIT_TIP = '15% less the average split of the active communities.';
const REVENUE_TIP =
  'A month: total AUM x return x super admin split x 0.5. An estimate, not an amount from the books.';

/** The figures of all active communities; null while they load. */
export function SummaryCards({ figures, sums }: { figures: DashboardFigures | null; sums: AumSums | null }) {
  const split = figures?.split;
  return (
    <Facts
      aria-label="Summary"
      aria-busy={figures === null}
      className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4 xl:gap-4"
    >
      <FigureCard
        label="Total AUM"
        className={CARD}
        tip={sums && <InfoTip about="the AUM" text={`Active communities. ${aumWords(sums)}`} />}
        note={
          figures?.highest ? (
            <span className="truncate" title={figures.highest.name}>
              Highest: <Name plain="The table below links it">{figures.highest.name}</Name>,{' '}
              <Money amount={figures.highest.totalAum} as="equity" />
            </span>
          ) : (
            'No community has AUM'
          )
        }
      >
        {figures && <Money amount={figures.totalAum} as="equity" />}
      </FigureCard>
      <FigureCard
        label="Avg. Super Admin Split"
        tip={<InfoTip about="the super admin split" text={SPLIT_TIP} />}
        className={CARD}
        note={split ? `Average community split ${communitySplitWords(split)}` : 'No active community'}
      >
        {figures ? (split ? superAdminSplitWords(split) : UNKNOWN) : undefined}
      </FigureCard>
      <FigureCard
        label="Communities & Traders"
        className={CARD}
        note={figures ? tradersWords(figures.averageTraders) : null}
      >
        {figures ? countsWords(figures) : undefined}
      </FigureCard>
      <FigureCard
        label="Estimate Revenue"
        tip={<InfoTip about="the revenue estimate" text={REVENUE_TIP} />}
        className={CARD}
        note={
          split
            ? `10-30% monthly returns x ${superAdminSplitWords(split)} split x AUM x 0.5`
            : 'No active community'
        }
      >
        {figures ? (split ? revenueWords(split) : UNKNOWN) : undefined}
      </FigureCard>
    </Facts>
  );
}
