import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../../ui/table/plain-table/skeleton-table.tsx';
import { type VipLevel, vipLevelsQuery } from './vip-queries.ts';
import { VipTradersDialog } from './vip-traders-dialog.tsx';

const columnsOf = (onOpen: (level: VipLevel) => void): readonly PlainColumn<VipLevel>[] => [
  {
    id: 'level',
    header: 'Level',
    width: '22%',
    onCard: 'lead',
    cell: (level) =>
      // The traders below the first level are all the others.
      level.level > 0 && level.trader_count > 0 ? (
        <button
          type="button"
          onClick={() => onOpen(level)}
          className="rounded font-medium hover:text-accent hover:underline"
        >
          {level.name}
        </button>
      ) : (
        <span className="font-medium">{level.name}</span>
      ),
  },
  {
    id: 'benefits',
    header: 'Benefits',
    width: '32%',
    onCard: 'line',
    cell: ({ benefits }) => (
      <span className="block truncate text-muted" title={benefits}>
        {benefits || '–'}
      </span>
    ),
  },
  {
    id: 'from',
    header: 'AUM from',
    width: '16%',
    align: 'end',
    cell: ({ min_aum }) => <Money amount={min_aum} as="equity" />,
  },
  {
    id: 'traders',
    header: 'Traders',
    width: '12%',
    align: 'end',
    cell: ({ trader_count }) => <Count n={trader_count} plain="The name of the level opens them" />,
  },
  {
    id: 'aum',
    header: 'AUM',
    width: '18%',
    align: 'end',
    cell: ({ total_aum }) => <Money amount={total_aum} as="equity" />,
  },
];

/** How many traders of a community have which VIP level. */
export function VipLevelsPanel({ communityId }: { communityId: string }) {
  const [opened, setOpened] = useState<VipLevel | null>(null);
  const { data, error, refetch } = useQuery(vipLevelsQuery(communityId));
  return (
    <Panel title="VIP Levels" flush>
      <QueryState
        small
        error={
          error && !data ? { title: 'The VIP levels could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<SkeletonTable columns={columnsOf(setOpened)} rows={5} />}
        isEmpty={false}
        empty={null}
      >
        <PlainTable
          label="VIP levels"
          columns={columnsOf(setOpened)}
          rows={data ?? []}
          keyOf={({ level }) => String(level)}
        />
      </QueryState>
      {opened && (
        <VipTradersDialog communityId={communityId} level={opened} onClose={() => setOpened(null)} />
      )}
    </Panel>
  );
}
