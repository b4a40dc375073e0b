import { randomBytes, randomUUID } from 'node:crypto';
import type { SentEvent } from '../webhooks/webhook-sender.ts';
import { type Account, type ClerkState, emptyState, type Membership, type Session } from './clerk-state.ts';
import { waitlistObject } from './objects/access.ts';
import { sessionObject } from './objects/session.ts';
import { membershipObject, userObject } from './objects/user.ts';

export interface InstanceOptions {
  now: () => number;
  emit(event: SentEvent): void;
}

/** What happens at one instance of the vendor, with an event for each change. */
export interface ClerkInstance {
  readonly state: ClerkState;
  id(prefix: string): string;
  now(): number;
  addUser(given: Partial<Omit<Account, 'id'>> & { email: string }): Account;
  changeUser(id: string, change: Partial<Omit<Account, 'id'>>): void;
  /** Ends its sessions as well. */
  ban(id: string): void;
  deleteUser(id: string): void;
  /** @param clientId the browser */
  openSession(userId: string, given?: { clientId?: string; secondFactor?: boolean }): Session;
  endSession(id: string, how: 'ended' | 'removed' | 'revoked'): void;
  addOrganization(name: string, metadata: Record<string, unknown>): string;
  join(organizationId: string, userId: string): Membership;
  leave(membershipId: string): void;
  joinWaitlist(email: string): void;
}

export function createInstance({ now, emit }: InstanceOptions): ClerkInstance {
  const state = emptyState();
  const id = (prefix: string) => `${prefix}_${randomBytes(13).toString('hex')}`;
  const announce = (type: string, data: unknown) =>
    emit({
      id: id('msg'),
      type,
      body: JSON.stringify({
        object: 'event',
        type,
        data,
        event_attributes: { http_request: { client_ip: '127.0.0.1', user_agent: '' } },
        instance_id: 'ins_simulated',
        timestamp: now(),
      }),
    });
  const get = (userId: string): Account => {
    const user = state.users.get(userId);
    if (!user) throw new Error(`no such user: ${userId}`);
    return user;
  };

  const instance: ClerkInstance = {
    state,
    id,
    now,
    addUser(given) {
      const at = now();
      const user: Account = {
        id: id('user'),
        firstName: 'Test',
        lastName: 'Person',
        isProven: true,
        password: randomUUID(),
        code: null,
        metadata: {},
        isBanned: false,
        createdAt: at,
        updatedAt: at,
        ...given,
      };
      // An accepted invitation hands its metadata on.
      const invitation = [...state.invitations.values()].find(
        (one) => one.email === user.email && one.status === 'pending',
      );
      if (invitation) {
        invitation.status = 'accepted';
        user.metadata = { ...invitation.metadata, ...user.metadata };
      }
      state.users.set(user.id, user);
      announce('user.created', userObject(user));
      return user;
    },
    changeUser(userId, change) {
      Object.assign(get(userId), change, { updatedAt: now() });
      announce('user.updated', userObject(get(userId)));
    },
    ban(userId) {
      instance.changeUser(userId, { isBanned: true });
      for (const session of state.sessions.values())
        if (session.userId === userId && session.status === 'active')
          instance.endSession(session.id, 'revoked');
    },
    deleteUser(userId) {
      get(userId);
      for (const session of state.sessions.values())
        if (session.userId === userId && session.status === 'active')
          instance.endSession(session.id, 'removed');
      state.users.delete(userId);
      for (const one of [...state.memberships.values()])
        if (one.userId === userId) state.memberships.delete(one.id);
      announce('user.deleted', { object: 'user', id: userId, deleted: true });
    },
    openSession(userId, { clientId = id('client'), secondFactor = false } = {}) {
      const at = now();
      const session: Session = {
        id: id('sess'),
        clientId,
        userId: get(userId).id,
        status: 'active',
        firstFactorAt: at,
        secondFactorAt: secondFactor ? at : null,
        organizationId: null,
        createdAt: at,
      };
      state.sessions.set(session.id, session);
      announce('session.created', sessionObject(session));
      return session;
    },
    endSession(sessionId, how) {
      const session = state.sessions.get(sessionId);
      if (session?.status !== 'active') return;
      session.status = how;
      announce(`session.${how}`, sessionObject(session));
    },
    addOrganization(name, metadata) {
      const organization = { id: id('org'), name, metadata, createdAt: now() };
      state.organizations.set(organization.id, organization);
      return organization.id;
    },
    join(organizationId, userId) {
      const membership: Membership = { id: id('orgmem'), organizationId, userId, createdAt: now() };
      state.memberships.set(membership.id, membership);
      announce('organizationMembership.created', membershipObject(state, membership));
      return membership;
    },
    leave(membershipId) {
      const membership = state.memberships.get(membershipId);
      if (!membership) return;
      const before = membershipObject(state, membership);
      state.memberships.delete(membershipId);
      for (const session of state.sessions.values())
        if (session.userId === membership.userId && session.organizationId === membership.organizationId)
          session.organizationId = null;
      announce('organizationMembership.deleted', before);
    },
    joinWaitlist(email) {
      if ([...state.waitlist.values()].some((one) => one.email === email)) return;
      const entry = { id: id('wle'), email, status: 'pending' as const, createdAt: now() };
      state.waitlist.set(entry.id, entry);
      announce('waitlistEntry.created', waitlistObject(entry));
    },
  };
  return instance;
}
