import { createClerkClient, type User } from '@clerk/backend';
import { isClerkAPIResponseError } from '@clerk/backend/errors';
import { emailInAscii } from '@copydesk/domain/text';
import { type HostedDirectory, HostedError, type HostedUser } from './hosted-directory.ts';
import type { HostedSettings } from './hosted-settings.ts';

const TIMEOUT_MS = 5_000;
/** The largest page of the API (clerk.com/docs/reference/backend-api). */
const PAGE = 500;

/** The people of an instance at Clerk, through its Backend API. */
export function createClerkDirectory({
  secretKey,
  publishableKey,
  apiUrl,
}: Pick<HostedSettings, 'secretKey' | 'publishableKey' | 'apiUrl'>): HostedDirectory {
  const { users, sessions, invitations, waitlistEntries } = createClerkClient({
    secretKey,
    publishableKey,
    telemetry: { disabled: true },
    ...(apiUrl ? { apiUrl } : {}),
  });
  return {
    async readUser(id) {
      // Asked for at once; of a user who is gone, both are not found.
      const [user, memberships] = await Promise.all([
        attempt('read user', () => users.getUser(id)),
        attempt('read memberships', () => users.getOrganizationMembershipList({ userId: id, limit: PAGE })),
      ]);
      if (user === null || memberships === null) return null;
      return {
        ...described(user),
        organizations: memberships.data.map(({ organization: { id, publicMetadata } }) => ({
          id,
          providerId: publicMetadata?.provider_id,
        })),
      };
    },
    async listUsers(ids) {
      const listed = await attempt('list users', () =>
        users.getUserList({ userId: [...ids], limit: ids.length }),
      );
      // A list is never missing, so this would be another address.
      if (listed === null) throw new HostedError('refused', 'list users');
      return listed.data.map(({ id, banned, publicMetadata }) => ({
        id,
        isBanned: banned,
        metadata: publicMetadata,
      }));
    },
    async invite({ email, expiresInDays }) {
      const invited = await attempt('invite', () =>
        invitations.createInvitation({
          emailAddress: email,
          expiresInDays,
          ignoreExisting: true,
          notify: true,
        }),
      );
      if (invited === null) throw new HostedError('refused', 'invite');
    },
    async endSessions(id, before) {
      const listed = await attempt('list sessions', () =>
        sessions.getSessionList({ userId: id, status: 'active', limit: PAGE }),
      );
      for (const session of listed?.data ?? [])
        if (session.createdAt < before.getTime())
          await attempt('end session', () => sessions.revokeSession(session.id));
    },
    async removeSecondFactor(id) {
      await attempt('remove second factor', () => users.disableUserMFA(id));
    },
    async listWaiting() {
      const listed = await attempt('list waitlist', () =>
        waitlistEntries.list({ status: 'pending', orderBy: '+created_at', limit: PAGE }),
      );
      return (listed?.data ?? []).map(({ emailAddress, createdAt }) => ({
        email: emailInAscii(emailAddress),
        joinedAt: new Date(createdAt),
      }));
    },
  };
}

function described(user: User): Omit<HostedUser, 'organizations'> {
  const primary = user.emailAddresses.find(({ id }) => id === user.primaryEmailAddressId);
  const isProven = primary?.verification?.status === 'verified';
  const email = isProven ? emailInAscii(primary.emailAddress) : null;
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ').trim();
  return {
    id: user.id,
    name: name || user.username || email || user.id,
    email,
    hasSecondFactor: user.twoFactorEnabled,
    isBanned: user.banned,
    metadata: user.publicMetadata,
  };
}

/** @returns null: not found @throws HostedError */
async function attempt<T>(operation: string, call: () => Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  // The client takes no signal: a late answer is ignored.
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new HostedError('unreachable', operation)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([call(), timeout]);
  } catch (error) {
    if (error instanceof HostedError) throw error;
    const status = isClerkAPIResponseError(error) ? error.status : undefined;
    if (status === 404) return null;
    if (status === 429) throw new HostedError('rate_limited', operation);
    const isRefused = status !== undefined && status >= 400 && status < 500;
    throw new HostedError(isRefused ? 'refused' : 'unreachable', operation);
  } finally {
    clearTimeout(timer);
  }
}
