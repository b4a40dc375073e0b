import { useSession } from '../features/identity/identity-context.ts';
import { ProvidersPanel } from '../features/providers/management/providers-panel.tsx';
import { usePageTitle } from '../lib/use-page-title.ts';
import { AdminLinks } from './admin-links.tsx';

/** Provider management. Super admins have it below their dashboard as well. */
export default function ProvidersScreen() {
  usePageTitle('Providers');
  const session = useSession();
  const isSuper = session.status === 'signed-in' && session.user.super;
  return (
    <div className="mx-auto w-full max-w-7xl space-y-4 px-4 pt-4 pb-8 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h1 tabIndex={-1} className="text-lg font-semibold tracking-tight">
          Provider Management
        </h1>
        {isSuper && <AdminLinks />}
      </div>
      <ProvidersPanel isSuper={isSuper} />
    </div>
  );
}
