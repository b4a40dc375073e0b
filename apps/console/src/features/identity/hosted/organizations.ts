import type { useClerk } from '@clerk/react';

type Clerk = Pick<ReturnType<typeof useClerk>, 'session' | 'user' | 'setActive'>;

/**
 * Has the service work in the organisation of the provider in which this tab works, so that its tokens name it. In none
 * when the tab works in all providers, or in one of which the person is a member here alone.
 */
export async function followChoice(clerk: Clerk, providerId: string | null): Promise<void> {
  const membership = clerk.user?.organizationMemberships.find(
    ({ organization }) => providerId !== null && organization.publicMetadata?.provider_id === providerId,
  );
  const wanted = membership?.organization.id ?? null;
  if (!clerk.session || (clerk.session.lastActiveOrganizationId ?? null) === wanted) return;
  await clerk.setActive({ organization: wanted });
}
