import { useInfiniteQuery } from '@tanstack/react-query';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { type ReactNode, useMemo } from 'react';
import { open } from '../../../lib/api/api.ts';
import { saveResponse } from '../../../lib/api/download.ts';
import { useBackgroundExport } from '../../../lib/use-background-export.ts';
import { LogPanel } from '../../../ui/layout/log-panel.tsx';
import { FilterControls } from '../../../ui/list/filter-controls.tsx';
import { LinkedChips } from '../../../ui/list/linked-chips.tsx';
import type { Arrangement } from '../../../ui/table/plain-table/arranged-table.tsx';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { attemptColumns } from './attempt-columns.tsx';
import { unlistedText } from './attempt-texts.ts';
import { securityLogQuery } from './security-log-queries.ts';
import {
  NO_SECURITY_LOG_FILTERS,
  type SecurityLogFilters,
  type SecurityLogSearch,
  securityLogList,
  wireSecurityLog,
} from './security-log-search.ts';

interface SecurityLogPanelProps {
  filters: SecurityLogFilters;
  onChange(change: SecurityLogSearch): void;
  people: readonly { id: string; email: string }[];
  /** Beside the filters. */
  views: ReactNode;
  arrangement: Arrangement;
}

/** Attempts that were refused, newest first. */
export function SecurityLogPanel(props: SecurityLogPanelProps) {
  const { filters, onChange, people, views, arrangement } = props;
  const query = useInfiniteQuery(securityLogQuery(filters));
  const columns = useMemo(() => attemptColumns(onChange), [onChange]);
  const sources = { people: people.map(({ id, email }) => ({ value: id, label: email })) };
  const rows = query.data?.pages.flatMap((page) => page.data);
  const meta = query.data?.pages[0]?.meta;
  const unlisted = meta && unlistedText(meta.unlisted, filters.address);
  const save = async () =>
    saveResponse(
      await open('GET /api/audit/refusals/export', { query: wireSecurityLog(filters) }),
      'security-log.csv',
    );
  const background = useBackgroundExport({
    list: 'refusals',
    query: wireSecurityLog(filters),
    total: meta?.total,
  });
  return (
    <LogPanel
      title="Security Log"
      query={query}
      filters={filters}
      onClear={() => onChange(NO_SECURITY_LOG_FILTERS)}
      onExport={save}
      background={background}
      choices={
        <>
          <FilterControls
            filters={securityLogList.filters}
            values={filters}
            sources={sources}
            onChange={onChange}
          />
          {views}
        </>
      }
      chips={<LinkedChips list={securityLogList} values={filters} sources={sources} onChange={onChange} />}
      empty={{
        icon: ShieldCheck,
        title: 'No refused attempts',
        text: 'Attempts without the right to them, failed sign-ins and exceeded limits appear here for 180 days.',
      }}
      note={unlisted && <p className="border-t border-line px-4 py-2 text-xs text-muted">{unlisted}</p>}
    >
      <PlainTable
        label="Refused attempts, newest first"
        columns={columns}
        rows={rows ?? []}
        keyOf={({ id }) => id}
        arrangement={arrangement}
      />
    </LogPanel>
  );
}
