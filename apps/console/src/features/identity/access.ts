import type { SignedInUser } from './identity.ts';

type Flags = Pick<SignedInUser, 'super' | 'providers'>;

/** Access is granted to super admins and to staff of at least one provider (console spec, section 6). */
export function hasAccess(user: Flags): boolean {
  return user.super || user.providers.length > 0;
}

/** The badge of the top bar (console spec, section 2); null without access. */
export function accessBadge(user: Flags): string | null {
  if (user.super) return 'Super Admin';
  const [first, ...others] = user.providers;
  if (!first) return null;
  return others.length === 0 ? first.name : `${user.providers.length} Providers`;
}
