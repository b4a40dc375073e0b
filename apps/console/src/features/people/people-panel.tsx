import { useQuery } from '@tanstack/react-query';
import UserPlus from 'lucide-react/icons/user-plus';
import Users from 'lucide-react/icons/users';
import { type ComponentProps, type ReactNode, useCallback, useMemo, useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { useLastPage } from '../../lib/list/use-last-page.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/form/button.tsx';
import { DebouncedSearchBox } from '../../ui/form/filters/debounced-search-box.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { FilterControls } from '../../ui/list/filter-controls.tsx';
import { Pager } from '../../ui/table/pager.tsx';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { InviteDialog } from './acts/invite-dialog.tsx';
import { peopleQuery } from './people-queries.ts';
import { PAGE_SIZES, type PeopleFilters, type PeopleSearch, peopleList, rowsParam } from './people-search.ts';
import { personColumns } from './person-columns.tsx';
import type { NamedProvider } from './person-texts.ts';

interface PeoplePanelProps {
  filters: PeopleFilters;
  onChange(change: PeopleSearch, how?: { replace: boolean }): void;
  onOpen(userId: string): void;
  providers: readonly NamedProvider[];
  /** Beside the filters. */
  views: ReactNode;
  arrangement: ComponentProps<typeof PlainTable>['arrangement'];
}

/** All people who may sign in, or are invited. */
export function PeoplePanel({ filters, onChange, onOpen, providers, ...rest }: PeoplePanelProps) {
  const { views, arrangement } = rest;
  const [isInviting, setInviting] = useState(false);
  const { data, error, refetch, isPlaceholderData } = useQuery(peopleQuery(filters));
  const columns = useMemo(() => personColumns(providers), [providers]);
  const sources = {
    providers: providers.map(({ id, display_name }) => ({ value: id, label: display_name })),
  };
  const narrow = useCallback(
    (change: PeopleSearch, how?: { replace: boolean }) => onChange({ ...change, page: undefined }, how),
    [onChange],
  );
  const search = useCallback(
    (text: string | undefined) => narrow({ search: text }, { replace: true }),
    [narrow],
  );
  const { sort: _, rows: __, page: ___, ...narrowing } = filters;
  const isNarrowed = Object.values(narrowing).some((value) => value !== undefined);
  const total = data?.meta.total ?? 0;
  const toPage = useCallback(
    (page: number) => onChange({ page: page === 1 ? undefined : String(page) }),
    [onChange],
  );
  const { page, rows } = filters;
  useLastPage({ page, rows, total: isPlaceholderData ? undefined : data?.meta.total }, toPage);
  return (
    <Panel
      title="People"
      flush
      count={data && total}
      actions={
        <>
          <DebouncedSearchBox
            label="Search people"
            placeholder="Name or e-mail"
            value={filters.search ?? ''}
            onChange={search}
          />
          <FilterControls filters={peopleList.filters} values={filters} sources={sources} onChange={narrow} />
          {views}
          <Button look="primary" onClick={() => setInviting(true)}>
            <UserPlus className="size-4" aria-hidden="true" />
            Invite
          </Button>
        </>
      }
    >
      <QueryState
        small
        error={error && !data ? { title: 'The people could not be loaded', message: messageOf(error) } : null}
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading people..." />}
        isEmpty={data?.data.length === 0}
        empty={
          <MessagePanel
            icon={Users}
            small
            title="No people found"
            text={isNarrowed ? 'Change the search or the filters.' : 'Invite the first colleague.'}
          />
        }
      >
        <PlainTable
          label="People"
          columns={columns}
          rows={data?.data ?? []}
          keyOf={({ id }) => id}
          onOpen={({ id }) => onOpen(id)}
          dimmedOf={({ disabled }) => disabled}
          isStale={isPlaceholderData}
          arrangement={arrangement}
        />
        <Pager
          page={page}
          pageRows={rows}
          total={total}
          onChange={toPage}
          sizes={{ options: PAGE_SIZES, onChange: (rows) => onChange(rowsParam(rows)) }}
        />
      </QueryState>
      {isInviting && <InviteDialog providers={providers} onClose={() => setInviting(false)} />}
    </Panel>
  );
}
