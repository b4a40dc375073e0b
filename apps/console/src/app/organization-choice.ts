import { useLocation } from '@tanstack/react-router';
import type { SignedInUser } from '../features/identity/identity.ts';
import { useIdentity } from '../features/identity/identity-context.ts';
import { messageOf } from '../lib/api/api-error.ts';
import { workIn } from '../lib/organization.ts';
import { toast } from '../ui/feedback/toast-store.ts';
import { isCurrent, navFor } from './nav-links.ts';

export interface OrganizationChoice {
  /** All providers first. */
  options: readonly { id: string | null; name: string }[];
  present: { id: string | null; name: string };
  choose(id: string | null): void;
}

/** Where a person may work: in all of its providers, or in one; null: the person has no choice. */
export function useOrganizationChoice(user: SignedInUser): OrganizationChoice | null {
  const { client } = useIdentity();
  const pathname = useLocation({ select: (location) => location.pathname });
  if (user.super || user.organizations.length < 2) return null;
  const all = { id: null, name: 'All providers' };
  return {
    options: [all, ...user.organizations],
    present: user.organizations.find(({ id }) => id === user.organization) ?? all,
    choose: (id) => {
      if (id === user.organization) return;
      const entered = client.enterOrganization?.(id) ?? Promise.resolve();
      entered.then(
        () => workIn(id, listPathOf(pathname)),
        (error) => toast({ tone: 'negative', title: 'The provider was not changed', text: messageOf(error) }),
      );
    },
  };
}

/** The list to which a screen belongs: in another provider a detail page may be out of reach, and its filters too. */
export function listPathOf(pathname: string): string {
  const links = navFor({ super: false }).flatMap((group) => group.links);
  const link = links.find((candidate) => isCurrent(candidate, pathname));
  return link?.to ?? `/${pathname.split('/')[1]}`;
}
