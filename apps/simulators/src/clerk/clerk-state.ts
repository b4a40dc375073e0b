/** Milliseconds since 1970, as on the wire. */
export type Millis = number;
export type Metadata = Record<string, unknown>;

export interface Account {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Whether the holder of the address has proven it. */
  isProven: boolean;
  /** Null: the account has no password. */
  password: string | null;
  /** The code that an authenticator app shows; null: no second factor. */
  code: string | null;
  metadata: Metadata;
  isBanned: boolean;
  createdAt: Millis;
  updatedAt: Millis;
}

export interface Organization {
  id: string;
  name: string;
  metadata: Metadata;
  createdAt: Millis;
}

export interface Membership {
  id: string;
  organizationId: string;
  userId: string;
  createdAt: Millis;
}

export interface Session {
  id: string;
  clientId: string;
  userId: string;
  status: 'active' | 'ended' | 'removed' | 'revoked';
  /** When each factor was proven; null: never. */
  firstFactorAt: Millis;
  secondFactorAt: Millis | null;
  organizationId: string | null;
  createdAt: Millis;
}

export interface Invitation {
  id: string;
  email: string;
  metadata: Metadata;
  status: 'pending' | 'accepted';
  createdAt: Millis;
}

export interface WaitlistEntry {
  id: string;
  email: string;
  status: 'pending' | 'invited';
  createdAt: Millis;
}

/** Everything that an instance holds. */
export interface ClerkState {
  users: Map<string, Account>;
  organizations: Map<string, Organization>;
  memberships: Map<string, Membership>;
  sessions: Map<string, Session>;
  invitations: Map<string, Invitation>;
  waitlist: Map<string, WaitlistEntry>;
}

export const emptyState = (): ClerkState => ({
  users: new Map(),
  organizations: new Map(),
  memberships: new Map(),
  sessions: new Map(),
  invitations: new Map(),
  waitlist: new Map(),
});
