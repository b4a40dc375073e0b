import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { useListLayout } from '../../features/lists/list-layout.ts';
import { OpensWithView } from '../../features/lists/opens-with-view.tsx';
import { ViewsButton } from '../../features/lists/views-button.tsx';
import { PeoplePanel } from '../../features/people/people-panel.tsx';
import { countPeopleQuery } from '../../features/people/people-queries.ts';
import { peopleFrom, peopleList } from '../../features/people/people-search.ts';
import { WaitlistPanel } from '../../features/people/waitlist-panel.tsx';
import { providersQuery } from '../../features/providers/directory-queries.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { AdminPage, ToTraders } from './admin-page.tsx';

function People() {
  usePageTitle('People');
  const navigate = useNavigate();
  const [search, change] = useScreenSearch(peopleList.read);
  const filters = useMemo(() => peopleFrom(search), [search]);
  const providers = useQuery(providersQuery);
  const columns = useListLayout('people', search.saved);
  return (
    <AdminPage title="People">
      <WaitlistPanel providers={providers.data ?? []} />
      <PeoplePanel
        filters={filters}
        onChange={change}
        onOpen={(userId) => void navigate({ to: '/people/$userId', params: { userId } })}
        providers={providers.data ?? []}
        arrangement={columns}
        views={
          <ViewsButton
            screen="people"
            list={peopleList}
            search={search}
            columns={columns}
            countOf={countPeopleQuery}
            onApply={change}
          />
        }
      />
    </AdminPage>
  );
}

export default function PeopleScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <OpensWithView screen="people" list={peopleList}>
        <People />
      </OpensWithView>
    </SuperOnly>
  );
}
