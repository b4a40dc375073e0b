import { type AumSums, aumWords } from '../../../lib/format/figures.ts';
import { useAsOf } from '../../../lib/live/freshness.ts';
import { InfoTip } from '../../../ui/feedback/info-tip.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { PageHeader } from '../../../ui/layout/page.tsx';
import { TitleFigure } from '../../../ui/layout/title-figure.tsx';

interface LeaderboardHeaderProps {
  /** AUM of all listed communities; null until known. */
  sums: AumSums | null;
  totalsAt: string | null;
  isFailed: boolean;
  /** Staff see only the traders and accounts of their providers. */
  isPart: boolean;
}

export function LeaderboardHeader({ sums, totalsAt, isFailed, isPart }: LeaderboardHeaderProps) {
  useAsOf(totalsAt);
  return (
    <PageHeader
      title="Communities"
      note={isPart && 'Figures are your part: traders and accounts of your providers.'}
      actions={
        <TitleFigure
          label={isPart ? 'Total AUM, your part' : 'Total AUM'}
          tip={sums && <InfoTip about="the AUM" text={`Active communities. ${aumWords(sums)}`} />}
        >
          {sums || isFailed ? <Money amount={sums?.total_aum} as="equity" /> : null}
        </TitleFigure>
      }
    />
  );
}
