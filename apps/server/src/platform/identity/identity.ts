import type { ServiceScope } from '@copydesk/contract';
import type { Flags } from '@copydesk/domain';

/** Who makes a request. */
export type Principal =
  | {
      kind: 'user';
      id: string;
      sessionId: string;
      name: string;
      email: string;
      flags: Flags;
      impersonatorId?: string;
    }
  /** A service is never super. */
  | { kind: 'service'; id: string; name: string; scopes: readonly ServiceScope[]; flags: Flags };

export type AuthRefusal =
  | 'missing_token'
  | 'malformed_token'
  | 'invalid_token'
  | 'token_expired'
  | 'invalid_service_token'
  | 'account_disabled';

export type AuthResult = { ok: true; principal: Principal } | { ok: false; code: AuthRefusal };

export interface UserSummary {
  id: string;
  email: string;
  name: string;
  flags: Flags;
  disabled: boolean;
  active: boolean;
  twoFactorEnabled: boolean;
  createdAt: Date;
}

/**
 * What the product needs of an identity service. The embedded one keeps everything in our own PostgreSQL; a
 * hosted one implements the same without `handle`.
 */
export interface Identity {
  readonly kind: 'embedded';
  /**
   * Reads the `authorization` header: a service token (`Bot...`) first, then `Bearer <jwt>`. Never a cookie.
   * @param fresh re-read the flags from the database instead of trusting a copy of at most 30 seconds
   * @throws when the identity store cannot be reached; a refusal is a result, not an error
   */
  authenticate(authorization: string | undefined, options?: { fresh?: boolean }): Promise<AuthResult>;
  /** Answers requests below /api/auth. */
  handle(request: Request): Promise<Response>;
  /** Whether no super admin exists yet, so that the set-up is open. */
  isSetupOpen(): Promise<boolean>;
}
