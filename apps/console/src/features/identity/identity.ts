import type { CallAnswer } from '@copydesk/contract';
import type { FC, PropsWithChildren } from 'react';

export type PublicConfig = CallAnswer<'GET /api/config'>['data'];
export type SignedInUser = CallAnswer<'GET /api/me'>['data'];

export type Session =
  | { status: 'loading' }
  /** By choice, or because the session was missing or had expired. */
  | { status: 'signed-out'; byChoice: boolean }
  | { status: 'signed-in'; user: SignedInUser }
  /** The identity service was unreachable. */
  | { status: 'failed'; error: unknown };

/** The console's requirements of an identity service. One implementation is loaded, chosen by `GET /api/config`. */
export interface IdentityClient {
  Provider: FC<PropsWithChildren>;
  useSession(): Session;
  /** A token of at least 30 seconds' life, or null when signed out. Concurrent callers share one renewal. */
  getToken(options?: { force?: boolean }): Promise<string | null>;
  /** Reads the signed-in state: once after loading, and again whenever it may have changed. */
  refresh(): Promise<void>;
  /**
   * Asks the person to authenticate again, one question at a time; `Provider` shows it.
   * @returns false when the person declines
   */
  confirmRecentAuth(): Promise<boolean>;
  /** Forgets the session without a request to the server, where it has already ended. */
  forget(): void;
  signOut(): Promise<void>;
  /**
   * Tells a service with organisations of its own in which provider this tab works from now on; null: in all. The choice
   * itself is ours.
   */
  enterOrganization?(providerId: string | null): Promise<void>;
  SignInPage: FC;
  UserMenu: FC;
  /** The own account: name, password, second factor, sessions. */
  ProfilePage: FC;
}

export interface LoadedIdentity {
  config: PublicConfig;
  client: IdentityClient;
}
