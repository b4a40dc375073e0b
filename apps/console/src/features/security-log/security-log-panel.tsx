import { formatCount } from '@copydesk/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useMemo } from 'react';
import { open } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { saveResponse } from '../../lib/download.ts';
import { REFUSAL_KINDS } from '../../lib/refusal-kinds.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Chip } from '../../ui/filters/chip.tsx';
import { DateFilter } from '../../ui/filters/date-filter.tsx';
import { ExportButton } from '../../ui/filters/export-button.tsx';
import { FilterSelect } from '../../ui/filters/filter-select.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { PlainTable } from '../../ui/plain-table/plain-table.tsx';
import { attemptColumns } from './attempt-columns.tsx';
import { securityLogQuery } from './security-log-queries.ts';
import {
  NO_SECURITY_LOG_FILTERS,
  type SecurityLogFilters,
  type SecurityLogSearch,
  wireSecurityLog,
} from './security-log-search.ts';

interface SecurityLogPanelProps {
  filters: SecurityLogFilters;
  onChange(change: SecurityLogSearch): void;
  people: readonly { id: string; email: string }[];
}

const KINDS = Object.entries(REFUSAL_KINDS).map(([value, label]) => ({ value, label }));

/** Attempts that were refused, newest first. */
export function SecurityLogPanel({ filters, onChange, people }: SecurityLogPanelProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    securityLogQuery(filters),
  );
  const columns = useMemo(() => attemptColumns(onChange), [onChange]);
  const rows = data?.pages.flatMap((page) => page.data);
  const meta = data?.pages[0]?.meta;
  const isNarrowed = Object.values(filters).some((value) => value !== undefined);
  const save = async () =>
    saveResponse(
      await open('GET /api/audit/refusals/export', { query: wireSecurityLog(filters) }),
      'security-log.csv',
    );
  return (
    <Panel
      title="Security Log"
      flush
      {...(meta && { count: `${formatCount(meta.total)}${meta.is_total_capped ? '+' : ''}` })}
      actions={
        <>
          <FilterSelect
            label="Kind"
            options={KINDS}
            value={filters.kind}
            onChange={(kind) => onChange({ kind: kind as SecurityLogSearch['kind'] })}
          />
          <FilterSelect
            label="Person"
            options={people.map(({ id, email }) => ({ value: id, label: email }))}
            value={filters.actor}
            onChange={(actor) => onChange({ actor })}
          />
          <DateFilter label="Date" days={filters} onChange={onChange} />
          {isNarrowed && (
            <Button look="quiet" onClick={() => onChange(NO_SECURITY_LOG_FILTERS)}>
              Clear filters
            </Button>
          )}
          <ExportButton onExport={save} />
        </>
      }
      filters={
        (filters.address !== undefined || filters.code !== undefined) && (
          <div className="flex flex-wrap gap-1.5 px-4 pb-2">
            {filters.address !== undefined && (
              <Chip
                label="Network"
                value={filters.address}
                onRemove={() => onChange({ address: undefined })}
              />
            )}
            {filters.code !== undefined && (
              <Chip label="Code" value={filters.code} onRemove={() => onChange({ code: undefined })} />
            )}
          </div>
        )
      }
    >
      <QueryState
        small
        error={
          error && !rows ? { title: 'The security log could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={rows === undefined}
        loading={<Loading text="Loading the security log..." />}
        isEmpty={rows?.length === 0}
        empty={
          <MessagePanel
            icon={ShieldCheck}
            small
            title="No refused attempts"
            text={
              isNarrowed
                ? 'Change or clear the filters.'
                : 'Attempts without the right to them, failed sign-ins and exceeded limits appear here for 180 days.'
            }
          />
        }
      >
        <PlainTable
          label="Refused attempts, newest first"
          columns={columns}
          rows={rows ?? []}
          keyOf={({ id }) => id}
        />
        {hasNextPage && (
          <div className="border-t border-line p-2 text-center">
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
    </Panel>
  );
}
