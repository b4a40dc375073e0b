import { type Capability, DEFAULT_STAFF_ROLE, roleHas, type StaffRole } from './staff-roles.ts';

/** The rights of a signed-in person. Flags come from server-side records only. */
export interface Flags {
  admin: boolean;
  super: boolean;
  /** Ids of the providers whose data a member of staff may see. */
  providerAccess: readonly string[];
  /** By provider, where the role of a member of staff is another than `staff`. */
  staffRoles?: Readonly<Record<string, StaffRole>>;
}

/** The permission that a call requires. Every contract entry names one. */
export const PERMISSIONS = [
  /** Anyone, signed in or not. */
  'public',
  /** Any signed-in person, with or without the admin flag. */
  'signed-in',
  /** The admin flag, even without a provider: enough for the console's shell. */
  'admin',
  /** The admin flag, and access to at least one provider or to all of them. */
  'staff',
  /** Super administrators only. */
  'super',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The rows a caller may see: every row, or those of some providers. */
export type Scope = { kind: 'all' } | { kind: 'providers'; providerIds: readonly string[] };

/** Access is granted to super admins and to staff with at least one provider (console spec, section 6). */
export function hasProviderAccess(flags: Flags): boolean {
  return flags.super || flags.providerAccess.length > 0;
}

/** The role at a provider; null: no access to it. */
export function staffRoleAt(flags: Flags, providerId: string): StaffRole | null {
  if (!flags.providerAccess.includes(providerId)) return null;
  return flags.staffRoles?.[providerId] ?? DEFAULT_STAFF_ROLE;
}

/** The providers at which a member of staff has a capability, in order. */
function providersWith(flags: Flags, capability: Capability): string[] {
  return flags.providerAccess.filter((id) => roleHas(staffRoleAt(flags, id), capability)).toSorted();
}

/**
 * The scope of these flags. Staff without providers get an empty scope, never an open one.
 * @param capability of a call: the scope has only the providers at which the role has it
 */
export function scopeOf(flags: Flags, capability?: Capability): Scope {
  if (flags.super) return { kind: 'all' };
  const providerIds = capability ? providersWith(flags, capability) : [...flags.providerAccess].sort();
  return { kind: 'providers', providerIds };
}

/** Whether every row of one scope is in another. */
export function scopeContains(outer: Scope, inner: Scope): boolean {
  if (outer.kind === 'all') return true;
  return inner.kind === 'providers' && inner.providerIds.every((id) => outer.providerIds.includes(id));
}

/** Whether a capability leaves fewer providers in scope than the person sees. */
export function isNarrowed(flags: Flags, capability?: Capability): boolean {
  if (flags.super || capability === undefined) return false;
  return providersWith(flags, capability).length < flags.providerAccess.length;
}

/**
 * The rights of a member of staff at one of its providers alone. It only takes away.
 * @returns null for who has no access to this provider, and for super admins, who are not members of providers
 */
export function flagsAt(flags: Flags, providerId: string): Flags | null {
  const role = staffRoleAt(flags, providerId);
  if (flags.super || role === null) return null;
  return { ...flags, providerAccess: [providerId], staffRoles: { [providerId]: role } };
}

export type AccessRefusal = 'not_admin' | 'no_provider_access' | 'role_required' | 'super_admin_required';

/**
 * Decides whether a signed-in caller may make a call.
 * @param capability of a call for staff: it needs a role with it at one provider at least
 * @returns null when allowed, else the error code (403 each).
 */
export function decideAccess(
  permission: Permission,
  flags: Flags,
  capability?: Capability,
): AccessRefusal | null {
  if (permission === 'public' || permission === 'signed-in') return null;
  if (!flags.admin) return 'not_admin';
  if (permission === 'admin') return null;
  if (permission === 'super') return flags.super ? null : 'super_admin_required';
  if (!hasProviderAccess(flags)) return 'no_provider_access';
  if (flags.super || capability === undefined || providersWith(flags, capability).length > 0) return null;
  return 'role_required';
}
