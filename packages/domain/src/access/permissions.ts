/** The rights of a signed-in person. Flags come from server-side records only. */
export interface Flags {
  admin: boolean;
  super: boolean;
  /** Ids of the providers whose data a member of staff may see. */
  providerAccess: readonly string[];
}

/** The permission that a call requires. Every contract entry names one. */
export type Permission =
  /** Anyone, signed in or not. */
  | 'public'
  /** Any signed-in person, with or without the admin flag. */
  | 'signed-in'
  /** The admin flag, even without a provider: enough for the console's shell. */
  | 'admin'
  /** The admin flag, and access to at least one provider or to all of them. */
  | 'staff'
  /** Super administrators only. */
  | 'super';

/** The rows a caller may see: every row, or those of some providers. */
export type Scope = { kind: 'all' } | { kind: 'providers'; providerIds: readonly string[] };

/** Access is granted to super admins and to staff with at least one provider (console spec, section 6). */
export function hasProviderAccess(flags: Flags): boolean {
  return flags.super || flags.providerAccess.length > 0;
}

/** The scope of these flags. Staff without providers get an empty scope, never an open one. */
export function scopeOf(flags: Flags): Scope {
  return flags.super ? { kind: 'all' } : { kind: 'providers', providerIds: [...flags.providerAccess].sort() };
}

export type AccessRefusal = 'not_admin' | 'no_provider_access' | 'super_admin_required';

/**
 * Decides whether a signed-in caller may make a call.
 * @returns null when allowed, else the error code (403 each).
 */
export function decideAccess(permission: Permission, flags: Flags): AccessRefusal | null {
  if (permission === 'public' || permission === 'signed-in') return null;
  if (!flags.admin) return 'not_admin';
  if (permission === 'admin') return null;
  if (permission === 'super') return flags.super ? null : 'super_admin_required';
  return hasProviderAccess(flags) ? null : 'no_provider_access';
}
