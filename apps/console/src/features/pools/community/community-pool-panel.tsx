import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { ConnectPoolButton } from '../connect/connect-pool-button.tsx';
import { HarvestBadge } from '../harvest-badge.tsx';
import { communityPoolQuery } from '../pools-queries.ts';

interface CommunityPoolPanelProps {
  community: { id: string; name: string; is_archived: boolean };
}

/** The pool of a community, on its page. For super admins. */
export function CommunityPoolPanel({ community }: CommunityPoolPanelProps) {
  const { data: pool, error, refetch } = useQuery(communityPoolQuery(community.id));
  return (
    <Panel
      title="Pooled Account"
      actions={
        pool !== undefined && (
          <>
            {pool && (
              <Link
                to="/pools/$poolId"
                params={{ poolId: pool.id }}
                className="rounded text-accent hover:underline"
              >
                Open pool
              </Link>
            )}
            <ConnectPoolButton
              communities={[community]}
              pools={[]}
              isOffered={pool === null && !community.is_archived}
            />
          </>
        )
      }
    >
      {error && pool === undefined && <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />}
      {!error && pool === undefined && <span aria-hidden="true" className="skeleton block h-16 w-full" />}
      {pool === null && (
        <p className="text-muted">The traders of this community trade on their own accounts.</p>
      )}
      {pool && (
        <Facts>
          <Fact label="Status">
            <span className="inline-flex flex-wrap items-center justify-end gap-1.5">
              <HarvestBadge status={pool.current_harvest_cycle.status} />
              {!pool.is_active && <Badge tone="neutral">Inactive</Badge>}
            </span>
          </Fact>
          <Fact label="Cycle">
            <span className="tabular-nums">{formatCount(pool.current_harvest_cycle.cycle_number)}</span>
          </Fact>
          <Fact label="Traders">
            <span className="tabular-nums">
              <Count n={pool.trader_count} plain="The page of the pool lists them" />
            </span>
          </Fact>
          <Fact label="Virtual balance">
            <Money as="floored" amount={pool.total_virtual_balance} className="tabular-nums" />
          </Fact>
        </Facts>
      )}
    </Panel>
  );
}
