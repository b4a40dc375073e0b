import type { Permission } from './permissions.ts';

/** Maximum age of a proof of identity for actions on money, secrets or users, minutes. */
export const RECENT_AUTHENTICATION_MINUTES = 10;

/** The ages of a person's last proofs of identity. */
export interface FactorAges {
  /**
   * Minutes since the first and since the second factor, when the token was issued; -1: never in this session. It
   * equals the `fva` claim of hosted identities.
   */
  fva: readonly [number, number];
  issuedAt: Date;
  /** Whether the account has a second factor; if so, a password alone is not enough. */
  hasSecondFactor: boolean;
}

/** Whether a person has authenticated within this many minutes, with the strongest factor of the account. */
export function isRecentlyAuthenticated(
  { fva, issuedAt, hasSecondFactor }: FactorAges,
  at: Date,
  maxAgeMinutes: number,
): boolean {
  const [first, second] = fva;
  const whenIssued = hasSecondFactor ? second : first;
  if (!Number.isFinite(whenIssued) || whenIssued < 0) return false;
  const sinceMs = Math.max(0, at.getTime() - issuedAt.getTime());
  return whenIssued * 60_000 + sinceMs <= maxAgeMinutes * 60_000;
}

/**
 * Requests of a call that need recent authentication: all, none, or those whose body has one of these keys, so harmless
 * changes need none. Services may make such requests only where `exceptServices` says so.
 */
export type RecentAuth = boolean | { whenBodyHas: readonly string[]; exceptServices?: true };

/** Whether a request needs recent authentication. A key counts when present, with any value. */
export function needsRecentAuth(declared: RecentAuth, body: unknown): boolean {
  if (typeof declared === 'boolean') return declared;
  if (typeof body !== 'object' || body === null) return false;
  return declared.whenBodyHas.some((key) => Object.hasOwn(body, key));
}

/**
 * Whether a person needs a second factor for a call, however recently it has authenticated: super admins and staff, for
 * money, payout addresses and secrets. What people do to their own account needs none.
 * @param call as the contract declares it
 */
export function needsSecondFactor(call: {
  permission: Permission;
  recentAuth: RecentAuth;
  beforeSecondFactor?: true;
}): boolean {
  const isOfStaff = call.permission === 'super' || call.permission === 'staff';
  return isOfStaff && call.recentAuth !== false && !call.beforeSecondFactor;
}
