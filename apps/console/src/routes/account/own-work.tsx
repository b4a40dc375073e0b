import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import Eye from 'lucide-react/icons/eye';
import type { ComponentProps, ReactNode } from 'react';
import { useSession } from '../../features/identity/identity-context.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { ToTraders } from '../admin/admin-page.tsx';

interface OwnWorkProps<Row> {
  /** As in `exports`. */
  what: string;
  /** What only the person can do with them, as in `see`. */
  may: string;
  note: string;
  // biome-ignore lint/suspicious/noExplicitAny: the key of a query is its own affair
  query: UseQueryOptions<Row[], Error, Row[], any>;
  empty: Pick<ComponentProps<typeof MessagePanel>, 'icon' | 'text'>;
  /** Shown instead of everything else when the person may have none. */
  refusal?: ReactNode;
  children(rows: readonly Row[]): ReactNode;
}

/** What workers do for one person. It is shown to the person alone. */
export function OwnWork<Row>(props: OwnWorkProps<Row>) {
  const { what, may, refusal } = props;
  usePageTitle(`Your ${what}`);
  const session = useSession();
  if (session.status === 'signed-in' && session.user.viewed_by !== null)
    return (
      <MessagePanel
        icon={Eye}
        level={1}
        title={`${titled(what)} are not part of a view`}
        text={`Only the person can ${may} their own ${what}. Stop viewing to ${may} yours.`}
      >
        <ToTraders />
      </MessagePanel>
    );
  return refusal || <OwnRows {...props} />;
}

function OwnRows<Row>({ what, note, query, empty, children }: OwnWorkProps<Row>) {
  const { data, error, refetch } = useQuery(query);
  return (
    <Page>
      <PageHeader title={`Your ${what}`} note={note} />
      <Panel title={titled(what)} flush {...(data && { count: formatCount(data.length) })}>
        <QueryState
          small
          error={
            error && !data ? { title: `Your ${what} could not be loaded`, message: messageOf(error) } : null
          }
          onRetry={() => void refetch()}
          isLoading={data === undefined}
          loading={<Loading text={`Loading your ${what}...`} />}
          isEmpty={data?.length === 0}
          empty={<MessagePanel {...empty} small title={`No ${what} yet`} />}
        >
          {children(data ?? [])}
        </QueryState>
      </Panel>
    </Page>
  );
}

const titled = (what: string) => what.replace(/^./, (first) => first.toUpperCase());
