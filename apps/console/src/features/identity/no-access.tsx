import ShieldX from 'lucide-react/icons/shield-x';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useEffect } from 'react';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { Button } from '../../ui/form/button.tsx';
import { useIdentity } from './identity-context.ts';

/** Sends people without the admin flag to a page outside the console. */
export function ExternalRedirect({ to }: { to: string }) {
  usePageTitle('Not an administrator');
  const { client } = useIdentity();
  const target = externalTarget(to, window.location.href);
  useEffect(() => {
    if (target) window.location.replace(target);
  }, [target]);
  if (target) return <Loading />;
  return (
    <main className="h-full">
      <MessagePanel
        icon={ShieldX}
        level={1}
        title="Access denied"
        text="This account is not an administrator of the console."
      >
        <Button onClick={() => void client.signOut()}>Sign out</Button>
      </MessagePanel>
    </main>
  );
}

/**
 * The destination of people without the admin flag; null when it would lead back into the console, in a circle, or is
 * not a web address.
 */
export function externalTarget(configured: string, here: string): string | null {
  if (configured.trim() === '') return null;
  try {
    const target = new URL(configured, here);
    const isWeb = target.protocol === 'https:' || target.protocol === 'http:';
    return isWeb && target.origin !== new URL(here).origin ? target.href : null;
  } catch {
    return null;
  }
}

/** In place of every screen for staff without a provider. */
export function NoProviderAccess() {
  usePageTitle('No Provider Access');
  return (
    <div className="mx-auto w-full max-w-440 p-4 sm:p-6">
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
