import { BACKGROUND_ABOVE_ROWS } from '@copydesk/domain/exports';
import { useQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import Eye from 'lucide-react/icons/eye';
import { useMemo } from 'react';
import { exportsQuery } from '../../features/exports/exports-queries.ts';
import { ExportsTable } from '../../features/exports/exports-table.tsx';
import { useSession } from '../../features/identity/identity-context.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { useCan } from '../../lib/rights.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { ToTraders } from '../admin/admin-page.tsx';
import { useDirectoryOptions } from '../use-directory-options.ts';

/** The lists that a person has exported in the background, and their files. */
export default function ExportsScreen() {
  usePageTitle('Your exports');
  const session = useSession();
  const isAllowed = useCan('data:export');
  if (session.status === 'signed-in' && session.user.viewed_by !== null)
    return (
      <MessagePanel
        icon={Eye}
        level={1}
        title="Exports are not part of a view"
        text="Only the person can open their own exports. Stop viewing to open yours."
      >
        <ToTraders />
      </MessagePanel>
    );
  if (!isAllowed)
    return (
      <MessagePanel
        icon={Download}
        level={1}
        title="Your role does not include exports"
        text="Ask a super admin for a role that does."
      >
        <ToTraders />
      </MessagePanel>
    );
  return <OwnExports />;
}

function OwnExports() {
  const { data, error, refetch } = useQuery(exportsQuery);
  const { communities, providers } = useDirectoryOptions();
  const names = useMemo(
    () => new Map([...communities, ...providers].map(({ value, label }) => [value, label])),
    [communities, providers],
  );
  return (
    <Page>
      <PageHeader
        title="Your exports"
        note="Files are kept for seven days. Their last line says how many rows they have: a file without it is not whole."
      />
      <Panel title="Exports" flush count={data?.length}>
        <QueryState
          small
          error={
            error && !data ? { title: 'Your exports could not be loaded', message: messageOf(error) } : null
          }
          onRetry={() => void refetch()}
          isLoading={data === undefined}
          loading={<Loading text="Loading your exports..." />}
          isEmpty={data?.length === 0}
          empty={
            <MessagePanel
              icon={Download}
              small
              title="No exports yet"
              text={`Press Export CSV above a list. With more than ${formatCount(BACKGROUND_ABOVE_ROWS)} rows its file is made in the background and appears here.`}
            />
          }
        >
          <ExportsTable rows={data ?? []} names={names} />
        </QueryState>
      </Panel>
    </Page>
  );
}
