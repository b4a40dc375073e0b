import { shortId } from '@copydesk/domain/money';
import { Link } from '@tanstack/react-router';
import Archive from 'lucide-react/icons/archive';
import HandCoins from 'lucide-react/icons/hand-coins';
import Trash2 from 'lucide-react/icons/trash-2';
import { flooredTo2, splitDecimals } from '../../../lib/format/figures.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { exactUsdt } from '../../../lib/format/usdt.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { InfoTip } from '../../../ui/feedback/info-tip.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Percentage } from '../../../ui/figures/percentage.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { MenuItem } from '../../../ui/form/menu.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { RowMenu } from '../../../ui/table/row-menu.tsx';
import type { AdminCommunity } from '../communities-queries.ts';
import type { Removal } from '../settings/removal-texts.ts';
import { type Setting, SPLIT_TIP } from '../settings/setting-fields.ts';
import { EditValue } from './edit-value.tsx';
import { WalletStatusCell } from './wallet-status.tsx';

export interface CommunityHandlers {
  isFrozen(communityId: string): boolean;
  onEdit(setting: Setting, community: AdminCommunity): void;
  onDistribute(community: AdminCommunity): void;
  onRemove(removal: Removal, community: AdminCommunity): void;
}

/** Two lines in a cell: the column's value, and a lesser one. On a card both are at the right. */
const CELL = 'flex min-w-0 flex-col gap-0.5 md:py-1.5';
const LESSER = 'flex max-w-full items-center gap-2 text-xs text-muted';

function Name({ community }: { community: AdminCommunity }) {
  const { id, name, is_archived, owes_shares, trader_count, total_aum } = community;
  return (
    <span className={CELL}>
      <span className="flex h-5 min-w-0 items-center gap-2">
        <Link
          to="/community-settings/$communityId"
          params={{ communityId: id }}
          state={{ fromDashboard: true }}
          className="truncate rounded font-medium hover:text-accent hover:underline"
        >
          {name}
        </Link>
        {is_archived && (
          <Badge tone={owes_shares ? 'caution' : 'neutral'}>
            {owes_shares ? 'Archived, owes shares' : 'Archived'}
          </Badge>
        )}
      </span>
      <span className="truncate text-xs leading-5 font-normal text-muted tabular-nums">
        <Money amount={total_aum} as="equity" /> AUM ·{' '}
        <Count
          n={trader_count}
          of={['trader', 'traders']}
          to={{ to: '/', search: { tab: 'all', community: id } }}
        />
      </span>
    </span>
  );
}

/** The largest number of decimals that any of these balances shows: the space that all of them reserve. */
export const mostBalanceDecimals = (communities: readonly AdminCommunity[]) =>
  Math.max(
    0,
    ...communities.map(({ wallets }) => splitDecimals(flooredTo2(wallets.internal.balance))[2].length),
  );

/** Aligned at the point with the other rows. */
function InternalBalance({ amount, places }: { amount: string; places: number }) {
  const [whole, sign, decimals] = splitDecimals(flooredTo2(amount));
  return (
    <span className="inline-flex h-5" title={exactUsdt(amount)}>
      {whole}
      <span
        className="text-start max-md:w-auto!"
        style={{ width: places === 0 ? undefined : `${places + 0.5}ch` }}
      >
        {sign}
        {decimals}
      </span>
      <span className="ms-1 text-muted">USDT</span>
    </span>
  );
}

function Actions({ community, handlers }: { community: AdminCommunity; handlers: CommunityHandlers }) {
  const { name, is_archived } = community;
  return (
    <RowMenu of={name}>
      <MenuItem icon={HandCoins} text="Distribute" onSelect={() => handlers.onDistribute(community)} />
      {!is_archived && (
        <MenuItem icon={Archive} text="Archive" onSelect={() => handlers.onRemove('archive', community)} />
      )}
      <MenuItem icon={Trash2} text="Delete" onSelect={() => handlers.onRemove('delete', community)} />
    </RowMenu>
  );
}

/**
 * The columns of the communities table (super-admin spec, section 2).
 * @param places decimals that internal balances leave room for
 */
export function communityColumns(
  handlers: CommunityHandlers,
  places: number,
): readonly PlainColumn<AdminCommunity>[] {
  const edit = (setting: Setting, community: AdminCommunity) => ({
    setting,
    community: community.name,
    onEdit: () => handlers.onEdit(setting, community),
  });
  return [
    {
      id: 'community',
      header: 'Community',
      width: '24%',
      onCard: 'lead',
      cell: (community) => <Name community={community} />,
    },
    {
      id: 'wallet',
      header: 'Wallet Status',
      width: '19%',
      onCard: 'line',
      cell: (community) => (
        <WalletStatusCell community={community} isFrozen={handlers.isFrozen(community.id)} />
      ),
    },
    {
      id: 'balance',
      header: 'Internal Balance',
      width: '17%',
      align: 'end',
      onCard: 'line',
      cell: (community) => (
        <span className={`${CELL} items-end`}>
          <InternalBalance amount={community.wallets.internal.balance} places={places} />
          <span className={LESSER}>
            Min.
            <EditValue {...edit('minimum_balance', community)}>
              {formatCount(community.minimum_balance)}
            </EditValue>
          </span>
        </span>
      ),
    },
    {
      id: 'split',
      header: 'Split Percentage',
      headerCell: (
        <span className="inline-flex items-center justify-end gap-1 font-medium">
          Split Percentage
          <InfoTip about="the split percentage" text={SPLIT_TIP} />
        </span>
      ),
      width: '18%',
      align: 'end',
      onCard: 'line',
      cell: (community) => (
        <span className={`${CELL} items-end`}>
          <EditValue {...edit('split_percentage', community)}>
            <Percentage value={community.split_percentage} />
          </EditValue>
          <span className={LESSER}>
            Referrer
            <EditValue {...edit('referrer_wallet_address', community)}>
              {community.referrer_wallet_address ? (
                <span className="font-mono" title={community.referrer_wallet_address}>
                  {shortId(community.referrer_wallet_address)}
                </span>
              ) : (
                'none'
              )}
            </EditValue>
          </span>
        </span>
      ),
    },
    {
      id: 'created',
      header: 'Created',
      width: '12%',
      align: 'end',
      onCard: 'line',
      cell: ({ created_at }) => <When at={created_at} as="day" />,
    },
    {
      id: 'actions',
      header: 'Actions',
      width: '9%',
      align: 'end',
      onCard: 'end',
      cell: (community) => <Actions community={community} handlers={handlers} />,
    },
  ];
}
