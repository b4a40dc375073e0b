import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';

const PAGE_ROWS = 10;

interface Page<Row> {
  data: Row[];
  meta: { total: number };
}

interface PagedListProps<Row> {
  /** The things of the list, in lower case. */
  what: string;
  // biome-ignore lint/suspicious/noExplicitAny: the key of a query is its own affair
  query(page: number, rows: number): UseQueryOptions<any, Error, Page<Row>, any>;
  columns: readonly PlainColumn<Row>[];
  keyOf(row: Row): string;
  empty: { title: string; text: string };
}

/** A part of a dialog with the pages of a list, in each of its states. */
export function PagedList<Row>({ what, query, columns, keyOf, empty }: PagedListProps<Row>) {
  const [page, setPage] = useState(1);
  const { data, error, refetch, isPlaceholderData } = useQuery(query(page, PAGE_ROWS));
  const total = data?.meta.total ?? 0;
  useLastPage({ page, rows: PAGE_ROWS, total: data && !isPlaceholderData ? total : undefined }, setPage);
  return (
    <QueryState
      small
      error={error && !data ? { title: `The ${what} could not be loaded`, message: messageOf(error) } : null}
      onRetry={() => void refetch()}
      isLoading={!data}
      loading={<Loading text={`Loading ${what}...`} />}
      isEmpty={total === 0}
      empty={<MessagePanel icon={CircleCheck} level={3} small {...empty} />}
    >
      <PlainTable
        label={`${what.charAt(0).toUpperCase()}${what.slice(1)}, latest first`}
        columns={columns}
        rows={data?.data ?? []}
        keyOf={keyOf}
        isStale={isPlaceholderData}
      />
      {total > PAGE_ROWS && (
        <Pager
          label="Pages of differences"
          page={page}
          pageRows={PAGE_ROWS}
          total={total}
          onChange={setPage}
        />
      )}
    </QueryState>
  );
}
