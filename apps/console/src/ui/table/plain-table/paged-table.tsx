import type { ReactNode } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { QueryState } from '../../feedback/query-state.tsx';
import { Pager, type PagerProps } from '../pager.tsx';
import type { Arrangement } from './arranged-table.tsx';
import type { PlainColumn } from './plain-column.ts';
import { PlainTable } from './plain-table.tsx';

interface PagedTableProps<Row, Id extends string> {
  label: string;
  /** The rows in words, as in `orders`. */
  what: string;
  columns: readonly PlainColumn<Row, Id>[];
  keyOf(row: Row): string;
  dimmedOf?(row: Row): boolean;
  query: {
    data: { data: readonly Row[]; meta: { total: number } } | undefined;
    error: Error | null;
    refetch(): unknown;
    isPlaceholderData: boolean;
  };
  /** Counted from 1. */
  page: number;
  pageRows: number;
  onPage(page: number): void;
  /** How many rows a page may have. */
  sizes?: PagerProps['sizes'] | undefined;
  /** How the person arranged the columns. */
  arrangement?: Arrangement | undefined;
  loading: ReactNode;
  empty: ReactNode;
}

/** A list that is read page by page: its states, its rows, and a pager once there is a second page. */
export function PagedTable<Row, Id extends string>(props: PagedTableProps<Row, Id>) {
  const { query, what, page, pageRows, onPage, sizes, loading, empty, ...table } = props;
  const { data, error, refetch, isPlaceholderData } = query;
  const total = data?.meta.total ?? 0;
  useLastPage({ page, rows: pageRows, total: data && !isPlaceholderData ? total : undefined }, onPage);
  return (
    <QueryState
      small
      error={error && !data ? { title: `The ${what} could not be loaded`, message: messageOf(error) } : null}
      onRetry={() => void refetch()}
      isLoading={!data}
      loading={loading}
      isEmpty={total === 0}
      empty={empty}
    >
      <PlainTable {...table} rows={data?.data ?? []} isStale={isPlaceholderData} />
      {total > Math.min(pageRows, ...(sizes?.options ?? [])) && (
        <Pager page={page} pageRows={pageRows} total={total} onChange={onPage} {...(sizes && { sizes })} />
      )}
    </QueryState>
  );
}
