import type { Trader } from '@copydesk/contract/traders';
import ChartNoAxesCombined from 'lucide-react/icons/chart-no-axes-combined';
import { formatCount } from '../../../../lib/format/numbers.ts';
import { Loading } from '../../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { RefreshButton } from '../../../../ui/feedback/refresh-button.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';
import { PositionGroup } from './position-group.tsx';
import { useOpenPositions } from './use-open-positions.ts';

export function PositionsPanel({ trader }: { trader: Trader }) {
  const { groups, count, isLoading, isFailed, isFetching, refresh } = useOpenPositions(trader);
  return (
    <Panel
      title="Active Positions"
      count={isFailed || (groups.length === 0 && isLoading) ? undefined : formatCount(count)}
      flush
      actions={<RefreshButton label="Refresh positions" isBusy={isFetching} onClick={refresh} />}
    >
      <QueryState
        small
        error={
          isFailed
            ? {
                title: 'Error loading positions',
                message: (
                  <>
                    Please try refreshing the data
                    <span className="mt-1 block text-xs">{reasons(groups)}</span>
                  </>
                ),
              }
            : null
        }
        onRetry={refresh}
        isLoading={groups.length === 0 && isLoading}
        loading={<Loading text="Loading active positions..." />}
        isEmpty={groups.length === 0}
        empty={
          <MessagePanel
            icon={ChartNoAxesCombined}
            level={3}
            small
            title="No active positions"
            text="This trader doesn't have any open positions"
          />
        }
      >
        <ul aria-label="Active positions by account">
          {groups.map((group) => (
            <PositionGroup key={`${group.exchange} ${group.acc_uid}`} group={group} />
          ))}
        </ul>
      </QueryState>
    </Panel>
  );
}

const reasons = (groups: readonly { problem: string | null }[]) =>
  [...new Set(groups.flatMap(({ problem }) => problem ?? []))].join(' ');
