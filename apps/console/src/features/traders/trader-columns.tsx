import { PART_OF_AUM } from '../../lib/format/aum-texts.ts';
import { formatWholeUsd } from '../../lib/format/numbers.ts';
import { listName } from '../../lib/format/trader-name.ts';
import type { RowSelecting } from '../../lib/list/row-selection.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { CopyText } from '../../ui/figures/copy-text.tsx';
import { YourPart } from '../../ui/figures/your-part.tsx';
import { SelectBox, selectColumn } from '../../ui/list/select-column.tsx';
import type { Column } from '../../ui/table/data-table/column.ts';
import { BelowMinimum } from './below-minimum.tsx';
import { StatusBadge } from './status-badge.tsx';
import type { Trader } from './traders-queries.ts';
import type { SortColumn } from './traders-search.ts';

export type TraderColumn = SortColumn | 'select' | 'status' | 'community';
export type CommunityNames = ReadonlyMap<string, string> | undefined;

const copyFailed = () => toast({ tone: 'negative', title: 'Copy failed' });

function Community({ names, id, isActive }: { names: CommunityNames; id: string; isActive: boolean }) {
  // A skeleton until the names are loaded: "Unknown" would be wrong.
  if (!names) return <span className="skeleton block h-3 w-24" />;
  return (
    <CopyText
      text={names.get(id) ?? 'Unknown Community'}
      what="community name"
      tabIndex={isActive ? 0 : -1}
      onFailure={copyFailed}
    />
  );
}

/** @param selecting null: the caller can do nothing with a selection */
export function traderColumns(
  names: CommunityNames,
  selecting: RowSelecting | null,
): readonly Column<Trader, TraderColumn>[] {
  return [
    ...(selecting ? [selectColumn<Trader>(selecting, listName)] : []),
    {
      id: 'reference_number',
      header: 'Reference Number',
      track: 'minmax(8rem, 1fr)',
      isPinned: true,
      sortable: true,
      cell: (trader) =>
        trader.reference_number ? (
          <span className="font-mono text-sm">{trader.reference_number}</span>
        ) : (
          <span className="text-muted">N/A</span>
        ),
    },
    {
      id: 'telegram_username',
      header: 'Telegram Username',
      track: 'minmax(8rem, 1.2fr)',
      sortable: true,
      cell: (trader) => <span className="font-medium">{listName(trader)}</span>,
    },
    {
      id: 'aum',
      header: 'Balance',
      track: 'minmax(7.5rem, 0.7fr)',
      align: 'end',
      sortable: true,
      cell: (trader) => (
        <span className="flex items-center justify-end gap-1.5">
          <YourPart isPart={trader.aum_is_part} title={PART_OF_AUM} />
          <BelowMinimum trader={trader} isShort />
          {formatWholeUsd(trader.aum)}
        </span>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      track: 'minmax(6.5rem, 0.8fr)',
      cell: (trader) => <StatusBadge status={trader.status} />,
    },
    {
      id: 'community',
      header: 'Community',
      track: 'minmax(8rem, 1.2fr)',
      cell: (trader, isActive) => <Community names={names} id={trader.community_id} isActive={isActive} />,
    },
  ];
}

export const TRADER_CARD_PX = 88;

/** The same five fields at phone width. */
export function traderCard(names: CommunityNames, selecting: RowSelecting | null) {
  return (trader: Trader, isActive: boolean) => (
    <span className="flex flex-col gap-1">
      <span className="flex items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2.5">
          {selecting && (
            <SelectBox
              id={trader.id}
              name={listName(trader)}
              selecting={selecting}
              tabIndex={isActive ? 0 : -1}
            />
          )}
          <span className="truncate font-medium">{listName(trader)}</span>
        </span>
        <span className="flex shrink-0 items-center gap-1.5 font-medium tabular-nums">
          <YourPart isPart={trader.aum_is_part} title={PART_OF_AUM} />
          <BelowMinimum trader={trader} isShort />
          {formatWholeUsd(trader.aum)}
        </span>
      </span>
      <span className="flex items-center justify-between gap-3">
        <span className="truncate font-mono text-sm text-muted">
          {trader.reference_number ?? 'No reference number'}
        </span>
        <StatusBadge status={trader.status} />
      </span>
      <span className="flex h-4 items-center text-xs text-muted">
        <Community names={names} id={trader.community_id} isActive={isActive} />
      </span>
    </span>
  );
}
