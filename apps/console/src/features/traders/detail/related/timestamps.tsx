import type { Trader } from '@copydesk/contract/traders';
import { Fact, Facts } from '../../../../ui/figures/fact.tsx';
import { When } from '../../../../ui/figures/when.tsx';

export function Timestamps({ trader }: { trader: Trader }) {
  return (
    <Facts look="small" className="px-4 max-sm:px-0">
      <Fact label="Created">
        <When at={trader.created_at} as="day" />
      </Fact>
      <Fact label="Last Updated">
        <When at={trader.updated_at} as="day" />
      </Fact>
    </Facts>
  );
}
