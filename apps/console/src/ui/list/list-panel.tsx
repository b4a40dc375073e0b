import { type ReactNode, useCallback } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { useLastPage } from '../../lib/list/use-last-page.ts';
import { QueryState } from '../feedback/query-state.tsx';
import { Pager } from '../table/pager.tsx';

interface ListPanelProps {
  id: string;
  /** Of the tab that shows it; undefined: of all. */
  tab: string | undefined;
  /** What is listed, within a sentence. */
  what: string;
  list: { data: unknown; error: Error | null; refetch(): unknown };
  loading: ReactNode;
  isEmpty: boolean;
  empty: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Below the head of a list: its rows, or why there are none. */
export function ListPanel(props: ListPanelProps) {
  const { id, tab = 'all', what, list, className } = props;
  const { data, error, refetch } = list;
  return (
    <section
      id={id}
      role="tabpanel"
      aria-labelledby={`${id}-${tab}`}
      className={
        className ??
        'overflow-hidden border-line bg-surface max-sm:-mx-4 max-sm:border-y sm:rounded-lg sm:border'
      }
    >
      <QueryState
        error={
          error && !data ? { title: `The ${what} could not be loaded`, message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={props.loading}
        isEmpty={props.isEmpty}
        empty={props.empty}
      >
        {props.children}
      </QueryState>
    </section>
  );
}

/** One page of a list, as it was asked for last. */
export interface ListedPage<Answer = { meta: { total: number } }> {
  data: Answer | undefined;
  error: Error | null;
  /** The page before is shown meanwhile. */
  isPlaceholderData: boolean;
  refetch(): unknown;
}

interface Paging {
  rows?: string | undefined;
  page?: string | undefined;
}

interface PagedPanelProps extends Omit<ListPanelProps, 'list' | 'isEmpty' | 'className'> {
  list: ListedPage;
  at: { page: number; rows: number };
  pages: { sizes: readonly number[]; rowsParam(rows: number): Paging };
  onChange(change: Paging, how?: { replace: boolean }): void;
  /** What can be done with the selected ones. */
  acts?: ReactNode;
}

/** The same for a list with pages. What can be done with selected rows stays in sight at phone width. */
export function PagedPanel({ list, at, pages, onChange, acts, children, ...panel }: PagedPanelProps) {
  const total = list.data?.meta.total;
  const toPage = useCallback(
    (to: number) => onChange({ page: to === 1 ? undefined : String(to) }, { replace: true }),
    [onChange],
  );
  useLastPage({ ...at, total: list.isPlaceholderData ? undefined : total }, toPage);
  return (
    <ListPanel
      {...panel}
      list={list}
      isEmpty={total === 0}
      className="relative border border-line bg-surface max-sm:-mx-4 max-sm:border-x-0 sm:overflow-hidden sm:rounded-lg"
    >
      {children}
      <Pager
        page={at.page}
        pageRows={at.rows}
        total={total ?? 0}
        onChange={toPage}
        sizes={{ options: pages.sizes, onChange: (size) => onChange(pages.rowsParam(size)) }}
      />
      {acts}
    </ListPanel>
  );
}
