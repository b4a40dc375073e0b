import { type SyncDeps, syncHostedUser } from '../features/people/hosted/sync-user.ts';
import type { HostedDirectory } from '../platform/identity/hosted/hosted-directory.ts';
import type { HostedIdentityOptions } from '../platform/identity/hosted/hosted-identity.ts';
import type { HostedSettings } from '../platform/identity/hosted/hosted-settings.ts';

/** The hosted identity service with our people. Its code is loaded only where one is configured. */
export async function connectHosted({
  settings,
  ...deps
}: Omit<SyncDeps, 'directory'> & { settings: HostedSettings }): Promise<
  Pick<HostedIdentityOptions, 'settings' | 'directory' | 'admit'>
> {
  const directory = await openDirectory(settings);
  return {
    settings,
    directory,
    admit: async (hostedId) => {
      await syncHostedUser({ ...deps, directory }, hostedId);
    },
  };
}

/** The people at the hosted identity service. */
export async function openDirectory(settings: HostedSettings): Promise<HostedDirectory> {
  const { createClerkDirectory } = await import('../platform/identity/hosted/clerk-directory.ts');
  return createClerkDirectory(settings);
}
