import type { Flags, StaffRole } from '@copydesk/domain/access';

/** The rights of a user as `identity.user_access` has them. */
export interface AccessRow {
  admin: boolean;
  super: boolean;
  provider_ids: string[];
  staff_roles: Record<string, StaffRole>;
}

/** The flags of a stored user. */
export function flagsOf({ admin, super: isSuper, provider_ids, staff_roles }: AccessRow): Flags {
  return { admin, super: isSuper, providerAccess: provider_ids, staffRoles: staff_roles };
}
