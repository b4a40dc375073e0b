import { useSession } from '../../features/identity/identity-context.ts';
import { ProvidersPanel } from '../../features/providers/management/providers-panel.tsx';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { AdminPage } from './admin-page.tsx';

/** Provider management. Super admins have it below their dashboard as well. */
export default function ProvidersScreen() {
  usePageTitle('Providers');
  const session = useSession();
  const isSuper = session.status === 'signed-in' && session.user.super;
  return (
    <AdminPage title="Provider Management">
      <ProvidersPanel isSuper={isSuper} />
    </AdminPage>
  );
}
