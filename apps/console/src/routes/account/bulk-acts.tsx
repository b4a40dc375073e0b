import { useQuery } from '@tanstack/react-query';
import Eye from 'lucide-react/icons/eye';
import ListChecks from 'lucide-react/icons/list-checks';
import { BulkActsTable } from '../../features/bulk/bulk-acts-table.tsx';
import { bulkActsQuery } from '../../features/bulk/bulk-queries.ts';
import { useSession } from '../../features/identity/identity-context.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { ToTraders } from '../admin/admin-page.tsx';

/** What a person has ordered for many traders at once, and what became of it. */
export default function BulkActsScreen() {
  usePageTitle('Your bulk acts');
  const session = useSession();
  if (session.status === 'signed-in' && session.user.viewed_by !== null)
    return (
      <MessagePanel
        icon={Eye}
        level={1}
        title="Bulk acts are not part of a view"
        text="Only the person can see their own bulk acts. Stop viewing to see yours."
      >
        <ToTraders />
      </MessagePanel>
    );
  return <OwnActs />;
}

function OwnActs() {
  const { data, error, refetch } = useQuery(bulkActsQuery);
  return (
    <Page>
      <PageHeader
        title="Your bulk acts"
        note="Done trader by trader, under your name and with your rights of that moment. Kept for 30 days."
      />
      <Panel title="Bulk acts" flush count={data?.length}>
        <QueryState
          small
          error={
            error && !data ? { title: 'Your bulk acts could not be loaded', message: messageOf(error) } : null
          }
          onRetry={() => void refetch()}
          isLoading={data === undefined}
          loading={<Loading text="Loading your bulk acts..." />}
          isEmpty={data?.length === 0}
          empty={
            <MessagePanel
              icon={ListChecks}
              small
              title="No bulk acts yet"
              text="Select traders in a list, or all that match its filters, and choose what to do with them."
            />
          }
        >
          <BulkActsTable rows={data ?? []} />
        </QueryState>
      </Panel>
    </Page>
  );
}
