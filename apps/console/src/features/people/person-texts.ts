import { DEFAULT_STAFF_ROLE } from '@copydesk/domain/access';
import { compareNames } from '@copydesk/domain/text';
import type { Tone } from '../../ui/feedback/badge.tsx';
import type { Person } from './people-queries.ts';
import { ROLE_WORDS } from './roles/role-texts.ts';

export interface NamedProvider {
  id: string;
  display_name: string;
}

type Flags = Pick<Person, 'super' | 'admin' | 'provider_access'>;

/** The access of a person as one role: of staff, the one that it has at all of its providers. */
export function roleOf({
  super: isSuper,
  admin,
  provider_access,
  staff_roles,
}: Flags & Pick<Person, 'staff_roles'>): {
  id: 'super' | 'staff' | 'no_access' | 'not_admin';
  label: string;
  tone: Tone;
} {
  if (isSuper) return { id: 'super', label: 'Super admin', tone: 'accent' };
  if (!admin) return { id: 'not_admin', label: 'Not an admin', tone: 'neutral' };
  if (provider_access.length === 0) return { id: 'no_access', label: 'No provider', tone: 'caution' };
  const [role = DEFAULT_STAFF_ROLE, ...others] = new Set(
    provider_access.map((id) => staff_roles[id] ?? DEFAULT_STAFF_ROLE),
  );
  return {
    id: 'staff',
    label: others.length > 0 ? 'Several roles' : ROLE_WORDS[role].label,
    tone: 'neutral',
  };
}

/** States that need attention; none for an account in working order. */
export function stateOf({
  disabled,
  active,
  confirmed,
  super: isSuper,
}: Pick<Person, 'disabled' | 'active' | 'confirmed' | 'super'>): { label: string; tone: Tone }[] {
  if (disabled) return [{ label: 'Disabled', tone: 'negative' }];
  return [
    ...(active ? [] : [{ label: 'Invited', tone: 'caution' as const }]),
    ...(isSuper && !confirmed ? [{ label: 'Unconfirmed', tone: 'caution' as const }] : []),
  ];
}

/** Names of a person's providers: two, and the number of others. */
export function providersText(
  { super: isSuper, provider_access }: Flags,
  names: ReadonlyMap<string, string>,
): string {
  if (isSuper) return 'All';
  if (provider_access.length === 0) return 'None';
  const named = provider_access.map((id) => names.get(id) ?? 'Unknown').toSorted(compareNames);
  const left = named.length - 2;
  return left > 0 ? `${named.slice(0, 2).join(', ')} and ${left} more` : named.join(', ');
}
