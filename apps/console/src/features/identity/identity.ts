import type { CallAnswer } from '@copydesk/contract';
import type { FC, PropsWithChildren } from 'react';

export type PublicConfig = CallAnswer<'GET /api/config'>['data'];
export type SignedInUser = CallAnswer<'GET /api/me'>['data'];

export type Session =
  | { status: 'loading' }
  /** By choice, or because the session was missing or over. */
  | { status: 'signed-out'; byChoice: boolean }
  | { status: 'signed-in'; user: SignedInUser }
  /** The identity service could not be asked. */
  | { status: 'failed'; error: unknown };

/** What an identity service must offer to the console. One implementation is loaded, chosen by `GET /api/config`. */
export interface IdentityClient {
  Provider: FC<PropsWithChildren>;
  useSession(): Session;
  /** A token of at least 30 seconds' life, or null when signed out. Concurrent callers share one renewal. */
  getToken(options?: { force?: boolean }): Promise<string | null>;
  /** Asks who is signed in: once it is loaded, and again whenever that may have changed. */
  refresh(): Promise<void>;
  /**
   * Has the person confirm who it is, one question at a time; `Provider` shows it.
   * @returns false when the person would not
   */
  confirmPresence(): Promise<boolean>;
  /** Forgets the session without asking the server: it has ended there. */
  forget(): void;
  signOut(): Promise<void>;
  SignInPage: FC;
  UserMenu: FC;
}

export interface LoadedIdentity {
  config: PublicConfig;
  client: IdentityClient;
}
