import { type ComponentProps, type ReactNode, useCallback } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { useLastPage } from '../../lib/list/use-last-page.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Pager } from '../../ui/table/pager.tsx';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../ui/table/plain-table/skeleton-table.tsx';

export interface Listed<Row> {
  data: { data: Row[]; meta: { total: number } } | undefined;
  error: Error | null;
  isPlaceholderData: boolean;
  refetch(): unknown;
}

interface Paging {
  rows?: string | undefined;
  page?: string | undefined;
}

interface MessageListProps<Row> {
  id: string;
  /** The tab that shows it. */
  tab: string;
  label: string;
  paging: { page: number; rows: number; sizes: readonly number[]; rowsParam(rows: number): Paging };
  list: Listed<Row>;
  columns: readonly PlainColumn<Row, string>[];
  empty: ReactNode;
  onChange(change: Paging, how?: { replace: boolean }): void;
  arrangement: ComponentProps<typeof PlainTable>['arrangement'];
  /** What can be done with the selected ones. */
  acts: ReactNode;
}

/** One page of a list of messages. */
export function MessageList<Row extends { id: string }>(props: MessageListProps<Row>) {
  const { id, tab, label, paging, list, columns, empty, onChange, arrangement, acts } = props;
  const { page, rows, sizes, rowsParam } = paging;
  const { data, error, isPlaceholderData } = list;
  const total = data?.meta.total;
  const toPage = useCallback(
    (to: number) => onChange({ page: to === 1 ? undefined : String(to) }, { replace: true }),
    [onChange],
  );
  useLastPage({ page, rows, total: isPlaceholderData ? undefined : total }, toPage);
  return (
    <section
      id={id}
      role="tabpanel"
      aria-labelledby={`${id}-${tab}`}
      className="relative border border-line bg-surface max-sm:-mx-4 max-sm:border-x-0 sm:overflow-hidden sm:rounded-lg"
    >
      <QueryState
        error={
          error && !data ? { title: 'The messages could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void list.refetch()}
        isLoading={!data}
        loading={<SkeletonTable columns={columns} rows={8} />}
        isEmpty={total === 0}
        empty={empty}
      >
        <PlainTable
          label={label}
          columns={columns}
          rows={data?.data ?? []}
          keyOf={(message) => message.id}
          isStale={isPlaceholderData}
          arrangement={arrangement}
        />
        <Pager
          page={page}
          pageRows={rows}
          total={total ?? 0}
          onChange={toPage}
          sizes={{ options: sizes, onChange: (size) => onChange(rowsParam(size)) }}
        />
        {acts}
      </QueryState>
    </section>
  );
}
