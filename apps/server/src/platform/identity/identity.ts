import type { RefusalCode } from '@copydesk/contract/audit';
import type { FactorAges, Flags, ServiceScope } from '@copydesk/domain/access';
import type { HostedDirectory } from './hosted/hosted-directory.ts';

/** What an account can prove itself with besides its password. */
export type SecondFactor = 'app' | 'passkey';

/** A signed-in person. */
export interface Person {
  kind: 'user';
  id: string;
  sessionId: string;
  name: string;
  email: string;
  flags: Flags;
  /** When the person last authenticated, according to its token. */
  factors: FactorAges & { enrolled: readonly SecondFactor[] };
  /** The super admin who reads with this person's eyes, and may change nothing. */
  impersonator?: { id: string; email: string };
  /** The provider in which this person works, and all of the person's own. Its flags are those at this provider. */
  organization?: { id: string; among: readonly string[] };
}

/** The caller of a request. */
export type Principal =
  | Person
  /** A service is never super. */
  | {
      kind: 'service';
      id: string;
      name: string;
      scopes: readonly ServiceScope[];
      flags: Flags;
      /** Whether its owner is a super admin. Its rows are those of its providers all the same. */
      isOfSuper: boolean;
    };

export type AuthRefusal =
  | 'missing_token'
  | 'malformed_token'
  | 'invalid_token'
  | 'token_expired'
  | 'invalid_service_token'
  | 'account_disabled'
  | 'account_not_invited'
  | 'view_as_ended'
  | 'organization_ended';

export type AuthResult =
  | { ok: true; principal: Principal }
  /** The caller where it is known, for the security log. */
  | { ok: false; code: AuthRefusal; caller?: Principal };

/** The proof in a reauthentication. */
export type Proof = { password: string } | { code: string } | { passkey: PasskeyAssertion };

/** A challenge signed by a passkey, all in base64url as WebAuthn has it. */
export interface PasskeyAssertion {
  /** Id of the credential. */
  id: string;
  clientData: string;
  authenticatorData: string;
  signature: string;
}

/** What a browser needs to have a passkey sign. */
export interface PasskeyChallenge {
  challenge: string;
  relyingPartyId: string;
  passkeys: { id: string; transports: string[] }[];
}

export type Reauthenticated =
  /** A token with the new proof. Earlier tokens keep their age. */
  | { ok: true; token: string }
  | { ok: false; code: 'reauthentication_failed' | 'reauthentication_code_used' | 'reauthentication_method' }
  | { ok: false; code: 'too_many_attempts'; waitSeconds: number };

/** Recent authentication: proof of identity within some minutes. */
export interface Reauthentication {
  /** Whether a caller is a person who authenticated within this many minutes. False for every service. */
  isRecent(principal: Principal, maxAgeMinutes: number): boolean;
}

/** Recent authentication where this product checks the proof. */
export interface ProvingReauthentication extends Reauthentication {
  /**
   * Checks a password, a code or a passkey like a sign-in, with the same throttle, and records it on the session. An
   * account with second factors must use one of them.
   * @throws when the identity store cannot be reached; a refusal is a result, not an error
   */
  prove(person: Person, proof: Proof, clientAddress: string): Promise<Reauthenticated>;
  /** A challenge for a passkey of this person, which only this session can answer, once and within five minutes. */
  challengePasskey(person: Person): Promise<PasskeyChallenge>;
}

/** The product's requirements of every identity service. Flags and service tokens are ours in any case. */
interface IdentityService {
  /**
   * Reads `Bearer <jwt>` of the `authorization` header, never a cookie. `createIdentity` adds service tokens.
   * @param fresh re-read the flags from the database instead of trusting a copy of at most 30 seconds
   * @param viewAs the user with whose eyes a super admin reads; `createIdentity` adds it
   * @param organization the one provider in which staff work; `createIdentity` adds it
   * @throws when the identity store cannot be reached; a refusal is a result, not an error
   */
  authenticate(
    authorization: string | undefined,
    options?: { fresh?: boolean; viewAs?: string; organization?: string },
  ): Promise<AuthResult>;
  /** Drops this process's cached entries for a user, after a change of its flags or sessions is committed. */
  forget(userId: string): void;
  /**
   * Calls `watcher` when sessions or flags of a user changed in any process, or with null (any user) after an
   * interruption of the notifications.
   * @returns a function that ends the watch
   */
  watch(watcher: (userId: string | null) => void): () => void;
  readonly reauth: Reauthentication;
  /** Ends the connections to the identity store. */
  close(): Promise<void>;
}

/** A refused attempt to sign in, or of a signed-in person to prove itself in a call below /api/auth. */
export interface RefusedSignIn {
  code: RefusalCode;
  /** Method and path, which has no parameters. */
  call: string;
  /** The account that the attempt was about; null: none, or none that exists. */
  findAccount(): Promise<{ id: string; email: string } | null>;
}
/** Must neither wait nor throw. */
export type OnRefusedSignIn = (refused: RefusedSignIn) => void;

/** Accounts, passwords and sessions in our own database, with pages of ours to sign in. */
export interface EmbeddedIdentity extends IdentityService {
  readonly kind: 'embedded';
  /** Whether no super admin can sign in yet, so that the set-up is open. */
  isSetupOpen(): Promise<boolean>;
  /**
   * Answers requests below /api/auth. The caller passes the client's address in CLIENT_ADDRESS_HEADER.
   * @param onRefused receives the refusal, for the security log
   * @throws when the identity store cannot be reached
   */
  handle(request: Request, onRefused?: OnRefusedSignIn): Promise<Response>;
  readonly reauth: ProvingReauthentication;
  readonly passwords: Passwords;
  /** How many backup codes a user has left; null: no authenticator app, so none. */
  countBackupCodes(userId: string): Promise<number | null>;
}

/** A service outside of this product. Its own pages sign people in, set up the first one and take proofs. */
export interface HostedIdentity extends IdentityService {
  readonly kind: 'hosted';
  /** The people at the service, for invitations and ended sessions. */
  readonly directory: HostedDirectory;
  /** What a browser needs to reach it. */
  readonly browser: { publishableKey: string; proxyUrl: string | null };
}

/** Code that needs a password, the set-up or /api/auth has to narrow this to the embedded service first. */
export type Identity = EmbeddedIdentity | HostedIdentity;

/** Passwords, where this product stores them. */
export interface Passwords {
  /** Why a new password is refused, as a text; null: it is not. */
  findProblem(password: string, own: { email: string; name: string }): Promise<string | null>;
  /** The stored form of a password; takes some 200 ms on purpose. */
  hash(password: string): Promise<string>;
  /**
   * Signs in like the sign-in page, for one-click personas.
   * @returns an access token, and the `set-cookie` headers of the session
   */
  signIn(
    credentials: { email: string; password: string },
    clientAddress: string,
  ): Promise<{ token: string; cookies: string[] }>;
  /** A password derived from the identity secret, for accounts without a person's own password. */
  derive(purpose: string): string;
}
