import type { ServiceScope } from '@copydesk/contract';
import type { FactorAges, Flags } from '@copydesk/domain';

/** A signed-in person. */
export interface Person {
  kind: 'user';
  id: string;
  sessionId: string;
  name: string;
  email: string;
  flags: Flags;
  /** When it last proved who it is, as its token says. */
  factors: FactorAges;
  impersonatorId?: string;
}

/** Who makes a request. */
export type Principal =
  | Person
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

/** What a person proves itself by. */
export type Proof = { password: string } | { code: string };

export type Reauthenticated =
  /** A token that says so. Earlier ones stay as old as they are. */
  | { ok: true; token: string }
  | { ok: false; code: 'reauthentication_failed' | 'reauthentication_code_used' | 'reauthentication_method' }
  | { ok: false; code: 'too_many_attempts'; waitSeconds: number };

/** Proof of who a person is, not older than some minutes. */
export interface Reauthentication {
  /** Whether a caller is a person that has proven who it is within so many minutes. A service never has. */
  isRecent(principal: Principal, maxAgeMinutes: number): boolean;
  /**
   * Checks a password or a code as a sign-in does, throttled with it, and notes it on the session. An account with a
   * second factor proves itself by that one only.
   * @throws when the identity store cannot be reached; a refusal is a result, not an error
   */
  prove(person: Person, proof: Proof, clientAddress: string): Promise<Reauthenticated>;
}

/**
 * What the product needs of an identity service. Flags, invitations and service tokens are ours in any case; a
 * hosted service implements this without `handle` and `passwords`, and leaves `reauth.prove` to its own pages.
 */
export interface Identity {
  readonly kind: 'embedded';
  /**
   * Reads the `authorization` header: a service token (`Bot...`) first, then `Bearer <jwt>`. Never a cookie.
   * @param fresh re-read the flags from the database instead of trusting a copy of at most 30 seconds
   * @throws when the identity store cannot be reached; a refusal is a result, not an error
   */
  authenticate(authorization: string | undefined, options?: { fresh?: boolean }): Promise<AuthResult>;
  /** Drops what this process remembers about a user, once a change of its flags or sessions is committed. */
  forget(userId: string): void;
  /**
   * Calls `watcher` when sessions or flags of a user changed, in whatever process, or of anyone (null) after the news
   * were interrupted.
   * @returns how to end it
   */
  watch(watcher: (userId: string | null) => void): () => void;
  /** Whether no super admin can sign in yet, so that the set-up is open. */
  isSetupOpen(): Promise<boolean>;
  /**
   * Answers requests below /api/auth. The caller says the client's address in CLIENT_ADDRESS_HEADER.
   * @throws when the identity store cannot be reached
   */
  handle(request: Request): Promise<Response>;
  readonly reauth: Reauthentication;
  readonly passwords: Passwords;
  /** Ends the connections to the identity store. */
  close(): Promise<void>;
}

/** Passwords, where they are ours to keep. */
export interface Passwords {
  /** What is stored of a password; takes some 150 ms on purpose. */
  hash(password: string): Promise<string>;
  /**
   * Signs in as the sign-in page does, for one-click personas.
   * @returns an access token, and the `set-cookie` headers of the session
   */
  signIn(
    credentials: { email: string; password: string },
    clientAddress: string,
  ): Promise<{ token: string; cookies: string[] }>;
  /** A password that follows from the identity secret, for accounts that no person keeps a password for. */
  derive(purpose: string): string;
}
