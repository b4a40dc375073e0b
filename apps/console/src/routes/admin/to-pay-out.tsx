import { Link } from '@tanstack/react-router';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { AwaitingNotice } from '../../features/payouts/approval/awaiting-notice.tsx';
import { DuePanel } from '../../features/payouts/due/due-panel.tsx';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ToTraders } from './admin-page.tsx';

function ToPayOut() {
  usePageTitle('To pay out');
  return (
    <Page>
      <PageHeader
        title="To pay out"
        note="Shares of paid invoices that are in no payout yet, by community. What was ordered and waits for another super admin is no longer among them."
        actions={
          <Link to="/recipients" className="rounded text-accent hover:underline">
            Recipients
          </Link>
        }
      />
      <AwaitingNotice />
      <DuePanel />
    </Page>
  );
}

export default function ToPayOutScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <ToPayOut />
    </SuperOnly>
  );
}
