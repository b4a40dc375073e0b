import { useInfiniteQuery } from '@tanstack/react-query';
import ScrollText from 'lucide-react/icons/scroll-text';
import { useMemo } from 'react';
import { open } from '../../lib/api/api.ts';
import { saveResponse } from '../../lib/api/download.ts';
import { useBackgroundExport } from '../../lib/use-background-export.ts';
import { DateFilter } from '../../ui/form/filters/date-filter.tsx';
import { FilterSelect } from '../../ui/form/filters/filter-select.tsx';
import { LogPanel } from '../../ui/layout/log-panel.tsx';
import { AuditEntryRow } from './audit-entry-row.tsx';
import { auditQuery } from './audit-queries.ts';
import { type AuditFilters, type AuditSearch, NO_AUDIT_FILTERS, wireAudit } from './audit-search.ts';
import { KINDS } from './audit-texts.ts';

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
  const query = useInfiniteQuery(auditQuery(filters));
  const names = useMemo(
    () => new Map(providers.map(({ id, display_name }) => [id, display_name])),
    [providers],
  );
  const entries = query.data?.pages.flatMap((page) => page.data);
  const save = async () =>
    saveResponse(await open('GET /api/audit/export', { query: wireAudit(filters) }), 'audit.csv');
  const background = useBackgroundExport({
    list: 'audit',
    query: wireAudit(filters),
    total: query.data?.pages[0]?.meta.total,
  });
  return (
    <LogPanel
      title="Audit"
      query={query}
      filters={filters}
      onClear={() => onChange(NO_AUDIT_FILTERS)}
      onExport={save}
      background={background}
      choices={
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
        </>
      }
      empty={{
        icon: ScrollText,
        title: 'No entries found',
        text: 'What people and programs do appears here.',
      }}
    >
      <ol aria-label="Audit entries, newest first">
        {entries?.map((entry) => (
          <AuditEntryRow key={entry.seq} entry={entry} names={names} onFilter={onChange} />
        ))}
      </ol>
    </LogPanel>
  );
}
