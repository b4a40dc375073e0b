import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { AuditPanel } from '../features/audit/audit-panel.tsx';
import type { AuditSearch } from '../features/audit/audit-search.ts';
import { ChainPanel } from '../features/audit/chain-panel.tsx';
import { SuperOnly } from '../features/identity/super-only.tsx';
import { peopleQuery } from '../features/people/people-queries.ts';
import { peopleFrom } from '../features/people/people-search.ts';
import { providersQuery } from '../features/providers/directory-queries.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { AdminPage, ToTraders } from './admin-page.tsx';

/** People to choose from in the filter; others are reached from their entries. */
const CHOICES = peopleFrom({ rows: '100' });

function Audit() {
  usePageTitle('Audit');
  const navigate = useNavigate({ from: '/audit' });
  const { sort: _, dir: __, ...filters } = useSearch({ from: '/console/audit' });
  const providers = useQuery(providersQuery);
  const people = useQuery(peopleQuery(CHOICES));
  const change = useCallback(
    (changed: AuditSearch) =>
      void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), resetScroll: false }),
    [navigate],
  );
  const choices = useMemo(
    () => (people.data?.data ?? []).map(({ id, email }) => ({ id, email })),
    [people.data],
  );
  return (
    <AdminPage title="Audit">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <AuditPanel filters={filters} onChange={change} providers={providers.data ?? []} people={choices} />
        <ChainPanel />
      </div>
    </AdminPage>
  );
}

export default function AuditScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <Audit />
    </SuperOnly>
  );
}
