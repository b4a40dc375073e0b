import { clsx } from 'clsx';
import Network from 'lucide-react/icons/network';
import { type ReactNode, useMemo, useState } from 'react';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../../ui/table/plain-table/skeleton-table.tsx';
import type { AdminCommunity } from '../communities-queries.ts';
import { RemovalDialog } from '../settings/removal-dialog.tsx';
import type { Removal } from '../settings/removal-texts.ts';
import type { Setting } from '../settings/setting-fields.ts';
import { communityColumns, mostBalanceDecimals } from './community-columns.tsx';
import { LoadedSettingDialog } from './loaded-setting-dialog.tsx';

interface CommunitiesPanelProps {
  /** In the server's order: active ones first, then by AUM. Undefined while they load. */
  communities: readonly AdminCommunity[] | undefined;
  /** Why there is nothing to show. */
  error: string | null;
  onRetry(): void;
  hasArchived: boolean;
  onArchivedChange(isShown: boolean): void;
  isFrozen(communityId: string): boolean;
  onOpen(community: AdminCommunity): void;
  onDistribute(community: AdminCommunity): void;
  /** Beside the button for archived ones. */
  actions?: ReactNode;
}

type Asked =
  | { what: 'edit'; setting: Setting; community: AdminCommunity }
  | { what: 'remove'; removal: Removal; community: AdminCommunity };

/** The communities of the Super Admin Dashboard. */
export function CommunitiesPanel(props: CommunitiesPanelProps) {
  const { communities, error, hasArchived: isShown, isFrozen, onOpen, onDistribute } = props;
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const rows = (communities ?? []).filter(
    ({ is_archived, owes_shares }) => isShown || !is_archived || owes_shares,
  );
  const isAllArchived = communities !== undefined && communities.length > 0;
  const places = mostBalanceDecimals(rows);
  const columns = useMemo(
    () =>
      communityColumns(
        {
          isFrozen,
          onDistribute,
          onEdit: (setting, community) => setAsked({ what: 'edit', setting, community }),
          onRemove: (removal, community) => setAsked({ what: 'remove', removal, community }),
        },
        places,
      ),
    [isFrozen, onDistribute, places],
  );
  return (
    <Panel
      title="Communities"
      flush
      count={communities && rows.length}
      actions={
        <>
          {props.actions}
          <Button className="h-7!" onClick={() => props.onArchivedChange(!isShown)}>
            {isShown ? 'Hide Archived' : 'Show Archived'}
          </Button>
        </>
      }
    >
      <QueryState
        error={error === null ? null : { title: 'The communities could not be loaded', message: error }}
        onRetry={props.onRetry}
        isLoading={communities === undefined}
        loading={<CommunitiesSkeleton />}
        isEmpty={rows.length === 0}
        empty={
          <MessagePanel
            icon={Network}
            title="No communities found"
            text={
              isAllArchived
                ? 'All communities are archived. Show them with the button above.'
                : 'Communities will appear here once they are created.'
            }
          />
        }
      >
        <PlainTable
          label="Communities"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          onOpen={onOpen}
          dimmedOf={({ is_archived }) => is_archived}
        />
      </QueryState>
      {asked?.what === 'edit' && (
        <LoadedSettingDialog community={asked.community} setting={asked.setting} onClose={close} />
      )}
      {asked?.what === 'remove' && (
        <RemovalDialog
          removal={asked.removal}
          community={asked.community}
          onClose={close}
          onDeleted={close}
        />
      )}
    </Panel>
  );
}

const ROWS = 8;
const ignore = () => {};
const HANDLERS = { isFrozen: () => false, onEdit: ignore, onDistribute: ignore, onRemove: ignore };
/** The first line of a cell, and the second where it has one. */
const LINES: Record<string, readonly string[]> = {
  community: ['w-32', 'w-40'],
  wallet: ['w-16', 'w-28'],
  balance: ['w-24', 'w-20'],
  split: ['w-10', 'w-24'],
  created: ['w-20'],
  actions: ['w-6'],
};

/** The communities before they are loaded. */
function CommunitiesSkeleton() {
  const columns = communityColumns(HANDLERS, 0).map((column) => ({ ...column, headerCell: column.header }));
  return (
    <SkeletonTable
      columns={columns}
      rows={ROWS}
      cellOf={({ id, align }) => (
        <span className={clsx('flex flex-col py-1.5', align && 'items-end')}>
          {LINES[id]?.map((width) => (
            <span key={width} className="flex h-5.25 items-center">
              <span className={clsx('skeleton h-3', width)} />
            </span>
          ))}
        </span>
      )}
    />
  );
}
