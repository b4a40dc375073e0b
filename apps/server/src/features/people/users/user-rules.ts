import { DEFAULT_STAFF_ROLE, type Flags, type StaffRole } from '@copydesk/domain/access';

export interface UserState {
  flags: Flags;
  disabled: boolean;
  /** Has accepted its invitation and can sign in. */
  active: boolean;
}

export interface UserChange {
  admin?: boolean | undefined;
  super?: boolean | undefined;
  providerAccess?: readonly string[] | undefined;
  /** By provider; others have the default role. */
  staffRoles?: Readonly<Record<string, StaffRole>> | undefined;
  disabled?: boolean | undefined;
}

/** A change of providers and roles by what differs: the rest stays as it is, whatever the author saw of it. */
export interface AccessChange extends Omit<UserChange, 'providerAccess'> {
  providerAccess?: { added: readonly string[]; removed: readonly string[] } | undefined;
}

/** The same change with whole lists, for the present flags. */
export function wholeLists(
  flags: Flags,
  { providerAccess, staffRoles, ...change }: AccessChange,
): UserChange {
  if (!providerAccess && !staffRoles) return change;
  const { added = [], removed = [] } = providerAccess ?? {};
  const kept = flags.providerAccess.filter((id) => !removed.includes(id));
  return {
    ...change,
    providerAccess: [...kept, ...added],
    staffRoles: { ...flags.staffRoles, ...staffRoles },
  };
}

export type UserPlan =
  | {
      ok: true;
      flags: Flags;
      disabled: boolean;
      /** Becomes an active super admin and needs confirmation, even if it was one before. */
      becomesSuper: boolean;
    }
  | { ok: false; code: 'last_super_admin' | 'validation_failed' };

/**
 * The flags after a change, or null when it contradicts itself. A super admin is an admin: making one gives the admin
 * flag, and removing the admin flag removes super.
 */
export function planFlags(current: Flags, change: UserChange): Flags | null {
  if (change.super === true && change.admin === false) return null;
  const isSuper = change.admin === false ? false : (change.super ?? current.super);
  const providerAccess = [...new Set(change.providerAccess ?? current.providerAccess)].sort();
  return {
    admin: isSuper || (change.admin ?? current.admin),
    super: isSuper,
    providerAccess,
    staffRoles: rolesAt(providerAccess, change.staffRoles ?? current.staffRoles ?? {}),
  };
}

/** The roles to store: those of these providers, without the default. A role never outlives the access. */
function rolesAt(
  providerIds: readonly string[],
  roles: Readonly<Record<string, StaffRole>>,
): Record<string, StaffRole> {
  const named = providerIds.map((id) => [id, roles[id] ?? DEFAULT_STAFF_ROLE] as const);
  return Object.fromEntries(named.filter(([, role]) => role !== DEFAULT_STAFF_ROLE));
}

/**
 * Decides a change of a user. At least one active super admin must remain.
 * @param otherSupers active super admins beside this user
 */
export function planUserChange(current: UserState, change: UserChange, otherSupers: number): UserPlan {
  const flags = planFlags(current.flags, change);
  if (!flags) return { ok: false, code: 'validation_failed' };
  const disabled = change.disabled ?? current.disabled;
  const counts = current.active && current.flags.super && !current.disabled;
  const stays = flags.super && !disabled;
  if (counts && !stays && otherSupers === 0) return { ok: false, code: 'last_super_admin' };
  const wasSuper = current.flags.super && !current.disabled;
  return { ok: true, flags, disabled, becomesSuper: stays && !wasSuper };
}
