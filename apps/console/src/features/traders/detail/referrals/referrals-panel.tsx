import type { Trader } from '@copydesk/contract/traders';
import { useQuery } from '@tanstack/react-query';
import { displayName } from '../../../../lib/format/trader-name.ts';
import { Fact, Facts } from '../../../../ui/figures/fact.tsx';
import { Count } from '../../../../ui/figures/linked.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';
import { ReferralList } from './referral-list.tsx';
import { referralsQuery } from './referrals-query.ts';

interface ReferralsPanelProps {
  trader: Trader;
  referrals: NonNullable<Trader['referrals']>;
}

/** The traders that this one has referred, and what their paid invoices earned it. */
export function ReferralsPanel({ trader, referrals }: ReferralsPanelProps) {
  const { data } = useQuery(referralsQuery(trader.id));
  return (
    <Panel title="Referrals">
      <Facts className="mb-2">
        <Fact label="Total Referrals">
          <Count n={referrals.count} plain="They are listed below" />
        </Fact>
        <Fact label="Total Referral AUM">
          <Money amount={referrals.total_aum} as="equity" />
        </Fact>
        {data && (
          <>
            <Fact label="Earned">
              <Money amount={data.meta.earned} />
            </Fact>
            <Fact label="Not Paid Out">
              <Money amount={data.meta.unpaid} />
            </Fact>
          </>
        )}
      </Facts>
      <ReferralList traderId={trader.id} of={displayName(trader)} />
    </Panel>
  );
}
