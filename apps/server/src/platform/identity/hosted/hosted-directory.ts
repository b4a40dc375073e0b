/** A user as the hosted identity service has it now. */
export interface HostedUser {
  id: string;
  name: string;
  /** The primary address in lower case, once its holder has proven it; null: none. */
  email: string | null;
  hasSecondFactor: boolean;
  isBanned: boolean;
  /** Written by the service's administrators and by our own server only. */
  metadata: Readonly<Record<string, unknown>>;
  /** The organisations that the user belongs to. */
  organizations: readonly HostedOrganization[];
}

export interface HostedOrganization {
  id: string;
  /** `provider_id` in its metadata. */
  providerId: unknown;
}

export interface HostedWaitlistEntry {
  email: string;
  joinedAt: Date;
}

/** A user without its organisations, which have to be asked for one user at a time. */
export type ListedUser = Pick<HostedUser, 'id' | 'isBanned' | 'metadata'>;

/** The administration of people at a hosted identity service. Every method may throw a HostedError. */
export interface HostedDirectory {
  /** Null: it has no such user, or no longer. */
  readUser(id: string): Promise<HostedUser | null>;
  /** At most 100 users at once. Users that no longer exist are missing from the answer. */
  listUsers(ids: readonly string[]): Promise<ListedUser[]>;
  /** Sends an invitation by mail. Its link leads to our sign-in page. */
  invite(invitation: { email: string; expiresInDays: number }): Promise<void>;
  /** Ends every session of a user that began before a time. */
  endSessions(id: string, before: Date): Promise<void>;
  /** Removes the second factors of a user. */
  removeSecondFactor(id: string): Promise<void>;
  /** Open requests for access, oldest first. */
  listWaiting(): Promise<HostedWaitlistEntry[]>;
}

/** A call of the hosted identity service that failed. Its message holds no secret and no personal data. */
export class HostedError extends Error {
  readonly code: 'unreachable' | 'rate_limited' | 'refused';

  constructor(code: HostedError['code'], operation: string, cause?: unknown) {
    super(`${operation}: ${code}`, { cause });
    this.name = 'HostedError';
    this.code = code;
  }
}
