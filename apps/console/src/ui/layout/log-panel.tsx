import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { Loading } from '../feedback/loading.tsx';
import { MessagePanel } from '../feedback/message-panel.tsx';
import { QueryState } from '../feedback/query-state.tsx';
import { Button } from '../form/button.tsx';
import { type BackgroundExport, ExportButton } from '../form/filters/export-button.tsx';
import { Panel } from './panel.tsx';

interface LogPage {
  data: readonly unknown[];
  meta: { total: number; is_total_capped: boolean };
}

interface LogPanelProps {
  title: string;
  /** An infinite query. */
  query: {
    data: { pages: readonly LogPage[] } | undefined;
    error: Error | null;
    refetch(): Promise<unknown>;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
  /** The filters that are set; undefined: not set. */
  filters: object;
  onClear(): void;
  onExport(): Promise<string>;
  /** For a log that is long. */
  background?: BackgroundExport | undefined;
  /** The controls of the filters. */
  choices: ReactNode;
  /** Filters without a control, below the title. */
  chips?: ReactNode;
  empty: { icon: LucideIcon; title: string; text: string };
  /** Below the list. */
  note?: ReactNode;
  children: ReactNode;
}

/** A log that is read page by page, newest first, with its filters and its export. */
export function LogPanel(props: LogPanelProps) {
  const { title, query, filters, onClear, onExport, background, choices, chips, empty, note, children } =
    props;
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const [first] = data?.pages ?? [];
  const isEmpty = data?.pages.every((page) => page.data.length === 0) ?? false;
  const isNarrowed = Object.values(filters).some((value) => value !== undefined);
  return (
    <Panel
      title={title}
      flush
      {...(first && {
        count: `${formatCount(first.meta.total)}${first.meta.is_total_capped ? '+' : ''}`,
      })}
      actions={
        <>
          {choices}
          {isNarrowed && (
            <Button look="quiet" onClick={onClear}>
              Clear filters
            </Button>
          )}
          <ExportButton onExport={onExport} background={background} />
        </>
      }
      filters={chips}
    >
      <QueryState
        small
        error={
          error && !data
            ? { title: `The ${title.toLowerCase()} could not be loaded`, message: messageOf(error) }
            : null
        }
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text={`Loading the ${title.toLowerCase()}...`} />}
        isEmpty={isEmpty && !hasNextPage}
        empty={
          <MessagePanel small {...empty} text={isNarrowed ? 'Change or clear the filters.' : empty.text} />
        }
      >
        {children}
        {hasNextPage && (
          <div className="border-t border-line p-2 text-center text-muted">
            {isEmpty && 'None among the latest that the search finds. '}
            <Button
              look="quiet"
              aria-disabled={isFetchingNextPage}
              onClick={() => !isFetchingNextPage && void fetchNextPage()}
            >
              {isFetchingNextPage ? 'Loading...' : 'Show more'}
            </Button>
          </div>
        )}
      </QueryState>
      {note}
    </Panel>
  );
}
