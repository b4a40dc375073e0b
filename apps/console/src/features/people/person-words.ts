import type { Tone } from '../../ui/feedback/badge.tsx';
import type { Person } from './people-queries.ts';

export interface NamedProvider {
  id: string;
  display_name: string;
}

type Flags = Pick<Person, 'super' | 'admin' | 'provider_access'>;

/** What somebody may do, as one role. */
export function roleOf({ super: isSuper, admin, provider_access }: Flags): {
  id: 'super' | 'staff' | 'no_access' | 'not_admin';
  label: string;
  tone: Tone;
} {
  if (isSuper) return { id: 'super', label: 'Super admin', tone: 'accent' };
  if (!admin) return { id: 'not_admin', label: 'Not an admin', tone: 'neutral' };
  if (provider_access.length === 0) return { id: 'no_access', label: 'No provider', tone: 'caution' };
  return { id: 'staff', label: 'Staff', tone: 'neutral' };
}

/** What keeps somebody from working, or has to be done about them; none when all is well. */
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

/** The providers of somebody by name, at most two of them. */
export function providersText(
  { super: isSuper, provider_access }: Flags,
  names: ReadonlyMap<string, string>,
): string {
  if (isSuper) return 'All';
  if (provider_access.length === 0) return 'None';
  const named = provider_access.map((id) => names.get(id) ?? 'Unknown').toSorted();
  const left = named.length - 2;
  return left > 0 ? `${named.slice(0, 2).join(', ')} and ${left} more` : named.join(', ');
}
