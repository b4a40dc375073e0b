import type { Trader } from '@copydesk/contract';
import { formatCount, formatWholeUsd } from '@copydesk/domain';
import { Panel } from '../../../../ui/panel.tsx';
import { Fact } from '../user/fact.tsx';

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
