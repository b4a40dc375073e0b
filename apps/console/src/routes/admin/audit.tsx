import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { AuditPanel } from '../../features/audit/audit-panel.tsx';
import { auditFrom, auditList, readAuditSearch } from '../../features/audit/audit-search.ts';
import { ChainPanel } from '../../features/audit/chain-panel.tsx';
import { SecurityLogPanel } from '../../features/audit/security-log/security-log-panel.tsx';
import {
  readSecurityLogSearch,
  securityLogFrom,
  securityLogList,
} from '../../features/audit/security-log/security-log-search.ts';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { useListLayout } from '../../features/lists/list-layout.ts';
import { OpensWithView } from '../../features/lists/opens-with-view.tsx';
import { ViewsButton } from '../../features/lists/views-button.tsx';
import { peopleQuery } from '../../features/people/people-queries.ts';
import { peopleFrom } from '../../features/people/people-search.ts';
import { providersQuery } from '../../features/providers/directory-queries.ts';
import { settingTexts } from '../../features/settings/setting-views.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { SegmentedChoice } from '../../ui/form/filters/segmented-choice.tsx';
import { AdminPage, ToTraders } from './admin-page.tsx';

/** People to choose from in the filter; others are reached from their entries. */
const CHOICES = peopleFrom({ rows: '100' });

const readSearch = (raw: Record<string, unknown>) => ({
  ...readSecurityLogSearch(raw),
  ...readAuditSearch(raw),
});

const VIEWS = [
  { value: 'changes', label: 'Changes' },
  { value: 'security', label: 'Security Log' },
] as const;

function Audit() {
  const navigate = useNavigate();
  const [search, change] = useScreenSearch(readSearch);
  const providers = useQuery(providersQuery);
  const people = useQuery(peopleQuery(CHOICES));
  const isSecurity = search.view === 'security';
  const columns = useListLayout('audit', isSecurity ? undefined : search.saved);
  const attemptColumns = useListLayout('refusals', isSecurity ? search.saved : undefined);
  usePageTitle(isSecurity ? 'Security Log' : 'Audit');
  const filters = useMemo(() => auditFrom(search), [search]);
  const securityFilters = useMemo(() => securityLogFrom(search), [search]);
  const choices = useMemo(
    () => (people.data?.data ?? []).map(({ id, email }) => ({ id, email })),
    [people.data],
  );
  return (
    <AdminPage title="Audit">
      <div className="flex">
        <SegmentedChoice
          label="View"
          options={VIEWS}
          value={isSecurity ? 'security' : 'changes'}
          onChange={(view) =>
            // Person and days mean the same in both.
            void navigate({
              to: '/audit',
              search: {
                actor: search.actor,
                from: search.from,
                to: search.to,
                ...(view === 'security' && { view: 'security' as const }),
              },
            })
          }
        />
      </div>
      {isSecurity ? (
        <OpensWithView screen="refusals" list={securityLogList} beside="view">
          <SecurityLogPanel
            filters={securityFilters}
            onChange={change}
            people={choices}
            arrangement={attemptColumns}
            views={
              <ViewsButton
                screen="refusals"
                list={securityLogList}
                search={search}
                columns={attemptColumns}
                onApply={change}
              />
            }
          />
        </OpensWithView>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
          <AuditPanel
            filters={filters}
            onChange={change}
            providers={providers.data ?? []}
            people={choices}
            settings={settingTexts}
            views={
              <ViewsButton
                screen="audit"
                list={auditList}
                search={search}
                columns={columns}
                onApply={change}
              />
            }
          />
          <ChainPanel />
        </div>
      )}
    </AdminPage>
  );
}

export default function AuditScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <OpensWithView screen="audit" list={auditList}>
        <Audit />
      </OpensWithView>
    </SuperOnly>
  );
}
