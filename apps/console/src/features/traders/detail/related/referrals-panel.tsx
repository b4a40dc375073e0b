import type { Trader } from '@copydesk/contract';
import { formatCount, formatWholeUsd } from '@copydesk/domain';
import { Fact } from '../../../../ui/figures/fact.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';

export function ReferralsPanel({ referrals }: { referrals: NonNullable<Trader['referrals']> }) {
  return (
    <Panel title="Referrals">
      <dl className="tabular-nums">
        <Fact label="Total Referrals">{formatCount(referrals.count)}</Fact>
        <Fact label="Total Referral AUM">{formatWholeUsd(referrals.total_aum)}</Fact>
      </dl>
    </Panel>
  );
}
