import type { Flags } from './permissions.ts';

/** What a hosted identity service says about the rights of a user. */
export interface HostedGrants {
  admin: boolean;
  super: boolean;
  /** Lower case, without doubles, sorted. */
  providerIds: readonly string[];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads the grants in a user's metadata (`admin`, `super`, `providerAccess`), which only the service's administrators
 * write. Anything of another shape grants nothing.
 * @param memberOf ids of the providers of the organisations that the user belongs to
 */
export function readHostedGrants(
  metadata: Readonly<Record<string, unknown>>,
  memberOf: readonly unknown[],
): HostedGrants {
  // Stryker disable next-line ArrayDeclaration: a text that is no id grants nothing.
  const listed = Array.isArray(metadata.providerAccess) ? metadata.providerAccess : [];
  // Stryker disable next-line ArrayDeclaration: a text that is no id grants nothing.
  const ids = [...listed, ...memberOf].flatMap((id) => (typeof id === 'string' ? id.toLowerCase() : []));
  const isSuper = metadata.super === true;
  return {
    admin: isSuper || metadata.admin === true,
    super: isSuper,
    providerIds: [...new Set(ids.filter((id) => UUID.test(id)))].sort(),
  };
}

/** Whether something was granted before and is not any more. */
export function isWithdrawn(before: HostedGrants, now: HostedGrants): boolean {
  return (
    (before.admin && !now.admin) ||
    (before.super && !now.super) ||
    before.providerIds.some((id) => !now.providerIds.includes(id))
  );
}

/** The flags of a person that we see for the first time. */
export function flagsAtFirstSight({ admin, super: isSuper, providerIds }: HostedGrants): Flags {
  return { admin, super: isSuper, providerAccess: providerIds, staffRoles: {} };
}

/**
 * The flags after the service withdrew grants. A grant that it adds later changes nothing here, and neither does the
 * withdrawal of a right that we gave ourselves: only what it granted before and no longer grants is taken away.
 */
export function flagsAfterWithdrawal(flags: Flags, before: HostedGrants, now: HostedGrants): Flags {
  const losesAdmin = before.admin && !now.admin;
  const lost = new Set(before.providerIds.filter((id) => !now.providerIds.includes(id)));
  const roles = Object.entries(flags.staffRoles ?? {}).filter(([id]) => !lost.has(id));
  return {
    admin: flags.admin && !losesAdmin,
    super: flags.super && !losesAdmin && !(before.super && !now.super),
    providerAccess: flags.providerAccess.filter((id) => !lost.has(id)),
    staffRoles: Object.fromEntries(roles),
  };
}
