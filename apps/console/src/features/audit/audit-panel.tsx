import { useInfiniteQuery } from '@tanstack/react-query';
import ScrollText from 'lucide-react/icons/scroll-text';
import { type ReactNode, useMemo } from 'react';
import { open } from '../../lib/api/api.ts';
import { saveResponse } from '../../lib/api/download.ts';
import { useBackgroundExport } from '../../lib/use-background-export.ts';
import { LogPanel } from '../../ui/layout/log-panel.tsx';
import { FilterControls } from '../../ui/list/filter-controls.tsx';
import { LinkedChips } from '../../ui/list/linked-chips.tsx';
import { AuditEntryRow } from './audit-entry-row.tsx';
import { auditQuery } from './audit-queries.ts';
import {
  type AuditFilters,
  type AuditSearch,
  auditList,
  NO_AUDIT_FILTERS,
  wireAudit,
} from './audit-search.ts';

interface AuditPanelProps {
  filters: AuditFilters;
  onChange(change: AuditSearch): void;
  providers: readonly { id: string; display_name: string }[];
  people: readonly { id: string; email: string }[];
  /** Beside the filters. */
  views: ReactNode;
}

/** Everything that was done, newest first. */
export function AuditPanel({ filters, onChange, providers, people, views }: AuditPanelProps) {
  const query = useInfiniteQuery(auditQuery(filters));
  const names = useMemo(
    () => new Map(providers.map(({ id, display_name }) => [id, display_name])),
    [providers],
  );
  const sources = {
    people: people.map(({ id, email }) => ({ value: id, label: email })),
    providers: providers.map(({ id, display_name }) => ({ value: id, label: display_name })),
  };
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
          <FilterControls
            filters={auditList.filters}
            values={filters}
            sources={sources}
            onChange={onChange}
          />
          {views}
        </>
      }
      chips={<LinkedChips list={auditList} values={filters} sources={sources} onChange={onChange} />}
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
