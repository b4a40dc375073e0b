import { flagsAt } from '@copydesk/domain/access';
import type { AuthResult, Identity, Principal } from './identity.ts';

/**
 * Lets staff of several providers work in one of them, as if they had no other. A caller that names a
 * provider without being its staff is refused, super admins and services included: they asked for less than
 * they would get. Wraps views as another user, so that a view can be of one provider too.
 */
export function acceptOrganization<I extends Identity>(identity: I): I {
  return {
    ...identity,
    async authenticate(authorization, { organization, ...options } = {}) {
      const result = await identity.authenticate(authorization, options);
      return organization === undefined || !result.ok ? result : narrowTo(result.principal, organization);
    },
  };
}

/** The principal with its rights at one provider alone. A second choice has to be the same one. */
export function narrowTo(principal: Principal, id: string): AuthResult {
  const flags = principal.kind === 'user' ? flagsAt(principal.flags, id) : null;
  if (principal.kind !== 'user' || !flags)
    return { ok: false, code: 'organization_ended', caller: principal };
  const organization = { id, among: principal.organization?.among ?? principal.flags.providerAccess };
  return { ok: true, principal: { ...principal, flags, organization } };
}
