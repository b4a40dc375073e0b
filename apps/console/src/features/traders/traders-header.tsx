import type { ReactNode } from 'react';
import { formatWholeUsd } from '../../lib/format/numbers.ts';
import { useAsOf } from '../../lib/live/freshness.ts';
import { InfoTip } from '../../ui/feedback/info-tip.tsx';
import { PageHeader } from '../../ui/layout/page.tsx';
import { TitleFigure } from '../../ui/layout/title-figure.tsx';
import type { TradersPage } from './traders-queries.ts';

interface TradersHeaderProps {
  meta: TradersPage['meta'] | null;
  isFailed: boolean;
  /** Staff see only the accounts of their providers. */
  isPart: boolean;
  /** Beside the sum: the acts on the list. */
  acts: ReactNode;
}

export function TradersHeader({ meta, isFailed, isPart, acts }: TradersHeaderProps) {
  useAsOf(meta?.totals_at);
  return (
    <PageHeader
      title="Traders"
      actions={
        <>
          <TitleFigure
            label={isPart ? 'Total AUM, your part' : 'Total AUM'}
            tip={meta && <InfoTip about="the AUM" text={() => wordsOf(meta)} />}
          >
            {meta || isFailed ? formatWholeUsd(meta?.total_aum) : null}
          </TitleFigure>
          {acts}
        </>
      }
    />
  );
}

/** The arithmetic of decimals is loaded with the explanation: nothing else of the first screen needs it. */
const wordsOf = async (meta: TradersPage['meta']) =>
  (await import('../../lib/format/figures.ts')).aumWords(meta);
