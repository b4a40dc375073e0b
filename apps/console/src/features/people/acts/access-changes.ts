import { DEFAULT_STAFF_ROLE } from '@copydesk/domain';
import type { Person } from '../people-queries.ts';
import { roleOf } from '../person-words.ts';
import { type Access, flagsOf } from './access-fields.tsx';

/** The access of a person in the form of the dialog. */
export function accessOf(person: Person): Access {
  const { id: role } = roleOf(person);
  return {
    role: role === 'no_access' ? 'staff' : role,
    provider_access: person.provider_access,
    staff_roles: person.staff_roles,
  };
}

/** The request for a changed access: only what differs, so that saving gives nothing back that another person took away. */
export function accessChanges(before: Access, after: Access) {
  const [from, to] = [flagsOf(before), flagsOf(after)];
  const held = after.role === before.role ? from.provider_access : [...before.provider_access];
  const added = to.provider_access.filter((id) => !held.includes(id));
  const removed = held.filter((id) => !to.provider_access.includes(id));
  const roles = to.provider_access
    .map((id) => [id, after.staff_roles[id] ?? DEFAULT_STAFF_ROLE] as const)
    .filter(([id, role]) => role !== (before.staff_roles[id] ?? DEFAULT_STAFF_ROLE));
  return {
    ...(to.admin !== from.admin && { admin: to.admin }),
    ...(to.super !== from.super && { super: to.super }),
    ...(added.length + removed.length > 0 && { provider_access: { added, removed } }),
    ...(roles.length > 0 && { staff_roles: Object.fromEntries(roles) }),
  };
}
