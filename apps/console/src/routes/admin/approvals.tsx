import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useSession } from '../../features/identity/identity-context.ts';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { WaitingAddresses } from '../../features/payouts/addresses/waiting-addresses.tsx';
import { AwaitingNotice } from '../../features/payouts/approval/awaiting-notice.tsx';
import { awaitingQuery, waitingAddressesQuery } from '../../features/payouts/payouts-queries.ts';
import { awaitingRunsQuery } from '../../features/payouts/runs/runs-queries.ts';
import { unconfirmedQuery } from '../../features/people/people-queries.ts';
import { WaitingSuperAdmins } from '../../features/people/waiting-super-admins.tsx';
import { settingsQuery } from '../../features/settings/settings-queries.ts';
import { WaitingSettings } from '../../features/settings/waiting-settings.tsx';
import { waitingOrdersQuery } from '../../features/transfers/orders/orders-queries.ts';
import { WaitingOrders } from '../../features/transfers/orders/waiting-orders.tsx';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ToTraders } from './admin-page.tsx';

/** Whether anything waits: the lists below read the same. */
function useWaiting(): { isKnown: boolean; isNothing: boolean } {
  const lists = [
    useQuery(awaitingQuery()),
    useQuery(awaitingRunsQuery),
    useQuery(waitingOrdersQuery()),
    useQuery(waitingAddressesQuery),
    useQuery(unconfirmedQuery),
  ];
  const settings = useQuery(settingsQuery);
  const totals = [
    ...lists.map(({ data }) => data?.meta.total),
    settings.data?.filter(({ waiting }) => waiting !== null).length,
  ];
  return {
    isKnown: [...lists, settings].every(({ data, isError }) => data !== undefined || isError),
    isNothing: totals.every((total) => total === 0),
  };
}

function Approvals() {
  usePageTitle('Approvals');
  const session = useSession();
  const { isKnown, isNothing } = useWaiting();
  if (session.status !== 'signed-in') return null;
  const { id } = session.user;
  return (
    <Page>
      <PageHeader
        title="Approvals"
        note="What takes another super admin: each stands as it was ordered, and an approval counts for exactly that."
        actions={
          <Link to="/audit" search={{ decision: 'true' }} className="rounded text-accent hover:underline">
            Decided before
          </Link>
        }
      />
      {!isKnown && <Loading text="Reading what waits..." />}
      {isNothing && (
        <MessagePanel
          icon={CircleCheck}
          title="Nothing waits for approval"
          text="Payouts, orders, addresses, settings and new super admins that take a second person appear here."
        />
      )}
      <div className="grid gap-3 empty:hidden">
        <AwaitingNotice title="Payouts" />
        <WaitingOrders title="Orders" />
        <WaitingAddresses />
        <WaitingSettings readerId={id} />
        <WaitingSuperAdmins readerId={id} />
      </div>
    </Page>
  );
}

export default function ApprovalsScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <Approvals />
    </SuperOnly>
  );
}
