import type { ReactNode } from 'react';
import { aumWords } from '../../../lib/format/figures.ts';
import { useAsOf } from '../../../lib/live/freshness.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { InfoTip } from '../../../ui/feedback/info-tip.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { PageHeader } from '../../../ui/layout/page.tsx';
import { TitleFigure } from '../../../ui/layout/title-figure.tsx';
import type { CommunityWithSettings } from '../communities-queries.ts';

interface CommunityHeaderProps {
  community: CommunityWithSettings;
  back: ReactNode;
  actions: ReactNode;
}

export function CommunityHeader({ community, back, actions }: CommunityHeaderProps) {
  useAsOf(community.totals_at);
  return (
    <PageHeader
      back={back}
      title={community.name}
      facts={
        <>
          {community.is_archived && <Badge tone="neutral">Archived</Badge>}
          <span className="text-xs text-muted">
            Created <When at={community.created_at} as="ago" />
          </span>
        </>
      }
      actions={
        <>
          <TitleFigure label="Traders">
            <Count
              n={community.trader_count}
              to={{ to: '/', search: { tab: 'all', community: community.id } }}
            />
          </TitleFigure>
          <TitleFigure label="AUM" tip={<InfoTip about="the AUM" text={aumWords(community)} />}>
            <Money amount={community.total_aum} as="equity" />
          </TitleFigure>
          {actions}
        </>
      }
    />
  );
}
