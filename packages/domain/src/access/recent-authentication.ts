/** How long ago a person may have proven who it is when it acts on money, secrets or users, minutes. */
export const RECENT_AUTHENTICATION_MINUTES = 10;

/** When a person last proved who it is. */
export interface FactorAges {
  /**
   * Minutes since the first and since the second factor, when the token was issued; -1: never in this session. The
   * `fva` claim of hosted identities means the same.
   */
  fva: readonly [number, number];
  issuedAt: Date;
  /** Whether the account has a second factor: then a password alone proves nothing new. */
  hasSecondFactor: boolean;
}

/** Whether a person has proven who it is within so many minutes, with the strongest factor that it has. */
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
 * Which requests of a call need recent authentication: all, none, or those whose body holds one of these keys, so that
 * a harmless change asks for nothing.
 */
export type RecentAuth = boolean | { whenBodyHas: readonly string[] };

/** Whether a request needs recent authentication. A key counts by being there, whatever its value is. */
export function needsRecentAuth(declared: RecentAuth, body: unknown): boolean {
  if (typeof declared === 'boolean') return declared;
  if (typeof body !== 'object' || body === null) return false;
  return declared.whenBodyHas.some((key) => Object.hasOwn(body, key));
}
