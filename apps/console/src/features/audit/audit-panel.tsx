import { formatCount } from '@copydesk/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import ScrollText from 'lucide-react/icons/scroll-text';
import { useMemo } from 'react';
import { open } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { saveResponse } from '../../lib/download.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { DateFilter } from '../../ui/filters/date-filter.tsx';
import { ExportButton } from '../../ui/filters/export-button.tsx';
import { FilterSelect } from '../../ui/filters/filter-select.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { AuditEntryRow } from './audit-entry-row.tsx';
import { auditQuery } from './audit-queries.ts';
import { type AuditFilters, type AuditSearch, NO_AUDIT_FILTERS, wireAudit } from './audit-search.ts';
import { KINDS } from './audit-words.ts';

interface AuditPanelProps {
  filters: AuditFilters;
  onChange(change: AuditSearch): void;
  providers: readonly { id: string; display_name: string }[];
  people: readonly { id: string; email: string }[];
}

const BY = [
  { value: 'user', label: 'People' },
  { value: 'service', label: 'Programs' },
  { value: 'system', label: 'The system itself' },
] as const;

/** Everything that was done, newest first. */
export function AuditPanel({ filters, onChange, providers, people }: AuditPanelProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery(filters),
  );
  const names = useMemo(
    () => new Map(providers.map(({ id, display_name }) => [id, display_name])),
    [providers],
  );
  const entries = data?.pages.flatMap((page) => page.data);
  const meta = data?.pages[0]?.meta;
  const isNarrowed = Object.values(filters).some((value) => value !== undefined);
  const save = async () =>
    saveResponse(await open('GET /api/audit/export', { query: wireAudit(filters) }), 'audit.csv');
  return (
    <Panel
      title="Audit"
      flush
      {...(meta && { count: `${formatCount(meta.total)}${meta.is_total_capped ? '+' : ''}` })}
      actions={
        <>
          <FilterSelect
            label="By"
            options={BY}
            value={filters.by}
            onChange={(by) => onChange({ by: by as AuditSearch['by'] })}
          />
          <FilterSelect
            label="Kind"
            options={KINDS}
            value={filters.kind}
            onChange={(kind) => onChange({ kind })}
          />
          <FilterSelect
            label="Person"
            options={people.map(({ id, email }) => ({ value: id, label: email }))}
            value={filters.actor}
            onChange={(actor) => onChange({ actor })}
          />
          <FilterSelect
            label="Provider"
            options={providers.map(({ id, display_name }) => ({ value: id, label: display_name }))}
            value={filters.provider}
            onChange={(provider) => onChange({ provider })}
          />
          <DateFilter label="Date" days={filters} onChange={onChange} />
          {isNarrowed && (
            <Button look="quiet" onClick={() => onChange(NO_AUDIT_FILTERS)}>
              Clear filters
            </Button>
          )}
          <ExportButton onExport={save} />
        </>
      }
    >
      <QueryState
        small
        error={
          error && !entries ? { title: 'The audit could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={entries === undefined}
        loading={<Loading text="Loading the audit..." />}
        isEmpty={entries?.length === 0}
        empty={
          <MessagePanel
            icon={ScrollText}
            small
            title="No entries found"
            text={isNarrowed ? 'Change or clear the filters.' : 'What people and programs do appears here.'}
          />
        }
      >
        <ol aria-label="Audit entries, newest first">
          {entries?.map((entry) => (
            <AuditEntryRow key={entry.seq} entry={entry} names={names} onFilter={onChange} />
          ))}
        </ol>
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
