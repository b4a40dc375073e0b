import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { usePageTitle } from '../lib/use-page-title.ts';

export function NoProviderAccess() {
  usePageTitle('No Provider Access');
  return (
    <div className="mx-auto w-full max-w-7xl p-4 sm:p-6">
      <div role="alert" className="flex gap-3 rounded-lg bg-caution-soft p-4 text-caution">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        <div>
          <h1 tabIndex={-1} className="font-semibold">
            No Provider Access
          </h1>
          <p className="mt-0.5 text-ink">
            You don't have access to any providers. Please contact an administrator to grant you access.
          </p>
        </div>
      </div>
    </div>
  );
}
