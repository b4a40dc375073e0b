import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useSession } from '../../features/identity/identity-context.ts';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { personQuery } from '../../features/people/people-queries.ts';
import { PersonView } from '../../features/people/person/person-view.tsx';
import { providersQuery } from '../../features/providers/directory-queries.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { RecordProblem } from '../../ui/feedback/record-problem.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { ToTraders } from './admin-page.tsx';

function Back({ look = 'outline' }: { look?: 'outline' | 'quiet' }) {
  const navigate = useNavigate();
  return (
    <Button
      look={look}
      className={look === 'quiet' ? '-ms-3' : ''}
      onClick={() => void navigate({ to: '/people' })}
    >
      <ArrowLeft className="size-4" aria-hidden="true" />
      People
    </Button>
  );
}

function Person() {
  const { userId } = useParams({ from: '/console/people/$userId' });
  const session = useSession();
  const { data: person, error, refetch } = useQuery(personQuery(userId));
  const providers = useQuery(providersQuery);
  usePageTitle(person?.name ?? 'Person');
  const failed = person ? providers.error && !providers.data && providers.error : error;
  if (failed) {
    return (
      <RecordProblem
        error={failed}
        missing={{ title: 'Person Not Found', text: 'There is no account with this id.' }}
        failed="The person could not be loaded"
        onRetry={() => void Promise.all([refetch(), providers.refetch()])}
      >
        <Back />
      </RecordProblem>
    );
  }
  if (!person || !providers.data) return <Loading text="Loading person..." />;
  return (
    <Page>
      <PersonView
        back={<Back look="quiet" />}
        person={person}
        providers={providers.data}
        isOwn={session.status === 'signed-in' && session.user.id === person.id}
      />
    </Page>
  );
}

export default function PersonScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <Person />
    </SuperOnly>
  );
}
