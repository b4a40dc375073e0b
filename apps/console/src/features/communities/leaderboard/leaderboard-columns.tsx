import { Link } from '@tanstack/react-router';
import Settings from 'lucide-react/icons/settings';
import { Count, Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { MenuItem } from '../../../ui/form/menu.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { RowMenu } from '../../../ui/table/row-menu.tsx';
import type { LeaderboardRow } from './rank-communities.ts';

type LeaderboardColumn = 'rank' | 'name' | 'aum' | 'traders' | 'created' | 'actions';

interface LeaderboardHandlers {
  isSuper: boolean;
  onSettings(id: string): void;
}

function CommunityName({ row, isSuper }: { row: LeaderboardRow; isSuper: boolean }) {
  if (!isSuper)
    return (
      <span className="block truncate font-medium">
        <Name plain="Only super admins open a community">{row.name}</Name>
      </span>
    );
  return (
    <Link
      to="/community-settings/$communityId"
      params={{ communityId: row.id }}
      className="block w-fit max-w-full truncate rounded font-medium hover:text-accent hover:underline"
    >
      {row.name}
    </Link>
  );
}

export function leaderboardColumns({
  isSuper,
  onSettings,
}: LeaderboardHandlers): readonly PlainColumn<LeaderboardRow, LeaderboardColumn>[] {
  return [
    {
      id: 'rank',
      header: 'Rank',
      width: '8%',
      onCard: 'lead',
      cell: (row) => <span className="text-muted tabular-nums">{row.rank}</span>,
    },
    {
      id: 'name',
      header: 'Community',
      width: '32%',
      isPinned: true,
      sortable: true,
      onCard: 'lead',
      cell: (row) => <CommunityName row={row} isSuper={isSuper} />,
    },
    {
      id: 'aum',
      header: 'Total AUM',
      sortable: true,
      width: '25%',
      align: 'end',
      cell: (row) => (
        <span className="flex items-center justify-end gap-3">
          <span aria-hidden="true" className="h-1 w-24 overflow-hidden rounded-full bg-subtle max-lg:hidden">
            <span className="block h-full rounded-full bg-accent" style={{ width: `${row.width}%` }} />
          </span>
          <Money amount={row.total_aum} as="equity" className="font-medium md:min-w-24" />
        </span>
      ),
    },
    {
      id: 'traders',
      header: 'Traders',
      sortable: true,
      width: '12%',
      align: 'end',
      cell: (row) => (
        <Count n={row.trader_count} to={{ to: '/', search: { tab: 'all', community: row.id } }} />
      ),
    },
    {
      id: 'created',
      header: 'Created',
      sortable: true,
      width: '15%',
      align: 'end',
      cell: ({ created_at }) => <When at={created_at} as="day" />,
    },
    {
      id: 'actions',
      header: 'Actions',
      width: '8%',
      align: 'end',
      onCard: 'end',
      cell: (row) => (
        <RowMenu of={row.name}>
          <MenuItem
            icon={Settings}
            text="Settings"
            disabled={!isSuper && 'For super admins'}
            onSelect={() => onSettings(row.id)}
          />
        </RowMenu>
      ),
    },
  ];
}
