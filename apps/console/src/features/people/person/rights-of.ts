import { CAPABILITIES, type Capability, compareNames, DEFAULT_STAFF_ROLE, roleHas } from '@copydesk/domain';
import type { Person } from '../people-queries.ts';
import { ROLE_WORDS } from '../roles/role-words.ts';

/** A right of a person, and what it comes from. */
export interface Right {
  capability: Capability;
  /** `Super admin`, or a role and its providers: `Staff of all 3`. Empty: the person lacks the right. */
  grants: string[];
}

type Granted = Pick<Person, 'super' | 'admin' | 'disabled' | 'provider_access' | 'staff_roles'>;

/**
 * Which grant allows what: for each capability the roles that include it, with the names of their providers.
 * @param names of providers, by id
 */
export function rightsOf(person: Granted, names: ReadonlyMap<string, string>): Right[] {
  return CAPABILITIES.map((capability) => ({ capability, grants: grantsOf(person, capability, names) }));
}

function grantsOf(person: Granted, capability: Capability, names: ReadonlyMap<string, string>): string[] {
  if (person.disabled || !person.admin) return [];
  if (person.super) return ['Super admin'];
  const byRole = new Map<string, string[]>();
  for (const id of person.provider_access) {
    const role = person.staff_roles[id] ?? DEFAULT_STAFF_ROLE;
    if (!roleHas(role, capability)) continue;
    const { label } = ROLE_WORDS[role];
    byRole.set(label, [...(byRole.get(label) ?? []), names.get(id) ?? 'Unknown']);
  }
  return [...byRole].map(([label, providers]) => {
    const isEverywhere = providers.length > 1 && providers.length === person.provider_access.length;
    return isEverywhere
      ? `${label} of all ${providers.length}`
      : `${label} of ${providers.toSorted(compareNames).join(', ')}`;
  });
}
