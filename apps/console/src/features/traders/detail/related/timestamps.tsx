import type { Trader } from '@copydesk/contract/traders';
import { When } from '../../../../ui/figures/when.tsx';

export function Timestamps({ trader }: { trader: Trader }) {
  return (
    <dl className="grid gap-y-1 px-4 text-xs text-muted max-sm:px-0">
      <div className="flex justify-between gap-1.5">
        <dt>Created</dt>
        <dd className="text-ink">
          <When at={trader.created_at} as="day" />
        </dd>
      </div>
      <div className="flex justify-between gap-1.5">
        <dt>Last Updated</dt>
        <dd className="text-ink">
          <When at={trader.updated_at} as="day" />
        </dd>
      </div>
    </dl>
  );
}
