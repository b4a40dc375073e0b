import { useInfiniteQuery } from '@tanstack/react-query';
import ScrollText from 'lucide-react/icons/scroll-text';
import { type ReactNode, useCallback, useMemo } from 'react';
import { open } from '../../lib/api/api.ts';
import { saveResponse } from '../../lib/api/download.ts';
import type { Option } from '../../lib/list/filters.ts';
import { useBackgroundExport } from '../../lib/use-background-export.ts';
import { Chip } from '../../ui/form/filters/chip.tsx';
import { DebouncedSearchBox } from '../../ui/form/filters/debounced-search-box.tsx';
import { LogPanel } from '../../ui/layout/log-panel.tsx';
import { FilterControls } from '../../ui/list/filter-controls.tsx';
import { AuditEntryRow } from './audit-entry-row.tsx';
import { type AuditEntry, auditQuery } from './audit-queries.ts';
import {
  type AuditFilters,
  type AuditSearch,
  auditList,
  NO_AUDIT_FILTERS,
  wireAudit,
} from './audit-search.ts';
import { objectText, type SettingTexts } from './audit-texts.ts';

interface AuditPanelProps {
  filters: AuditFilters;
  onChange(change: AuditSearch, how?: { replace: boolean }): void;
  providers: readonly { id: string; display_name: string }[];
  people: readonly { id: string; email: string }[];
  settings: SettingTexts;
  /** Beside the filters. */
  views: ReactNode;
}

/** Everything that was done, newest first. */
export function AuditPanel(props: AuditPanelProps) {
  const { filters, onChange, providers, people, settings, views } = props;
  const query = useInfiniteQuery(auditQuery(filters));
  const names = useMemo(
    () => new Map(providers.map(({ id, display_name }) => [id, display_name])),
    [providers],
  );
  const search = useCallback(
    (text: string | undefined) => onChange({ search: text }, { replace: true }),
    [onChange],
  );
  const [first] = query.data?.pages ?? [];
  const sources = {
    people: withActor(
      people.map(({ id, email }) => ({ value: id, label: email })),
      first?.data.find(({ actor_id }) => actor_id === filters.actor),
    ),
    providers: providers.map(({ id, display_name }) => ({ value: id, label: display_name })),
  };
  const object = objectWords(filters, first?.meta.target_name, settings);
  const entries = query.data?.pages.flatMap((page) => page.data);
  const save = async () =>
    saveResponse(await open('GET /api/audit/export', { query: wireAudit(filters) }), 'audit.csv');
  const background = useBackgroundExport({
    list: 'audit',
    query: wireAudit(filters),
    total: first?.meta.total,
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
          <DebouncedSearchBox
            label="Search the audit"
            placeholder="Name, word, amount, id"
            value={filters.search ?? ''}
            onChange={search}
          />
          <FilterControls
            filters={auditList.filters}
            values={filters}
            sources={sources}
            onChange={onChange}
          />
          {views}
        </>
      }
      chips={
        object && (
          <div className="flex flex-wrap gap-1.5 px-4 pb-2">
            <Chip
              label="Object"
              value={object}
              // Its kind and its id are one filter.
              onRemove={() => onChange({ targetKind: undefined, target: undefined })}
            />
          </div>
        )
      }
      empty={{
        icon: ScrollText,
        title: object ? `No entries about this: ${object}` : 'No entries found',
        text: 'What people and programs do appears here.',
      }}
    >
      <ol aria-label="Audit entries, newest first">
        {entries?.map((entry) => (
          <AuditEntryRow key={entry.seq} onFilter={onChange} {...{ entry, names, settings, filters }} />
        ))}
      </ol>
    </LogPanel>
  );
}

/** The actor that entries are narrowed to may be missing from the choices. */
function withActor(people: Option[], entry: AuditEntry | undefined): Option[] {
  if (!entry || people.some(({ value }) => value === entry.actor_id)) return people;
  return [...people, { value: entry.actor_id, label: entry.actor_name }];
}

/** The object that entries are narrowed to, in words; null without one. While it is asked for, its kind. */
function objectWords(
  { targetKind, target }: AuditFilters,
  name: string | null | undefined,
  settings: SettingTexts,
): string | null {
  if (!targetKind || !target || name === undefined) return targetKind?.replaceAll('_', ' ') ?? target ?? null;
  return objectText({ target_kind: targetKind, target_id: target, target_name: name }, settings);
}
