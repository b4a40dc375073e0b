import { randomUUID } from 'node:crypto';
import {
  flagsAfterWithdrawal,
  flagsAtFirstSight,
  type HostedGrants,
  readHostedGrants,
} from '@copydesk/domain/access';
import type { Actor } from '../../../platform/audit/audit.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { deleteSecondFactor, endPassword } from '../../../platform/identity/embedded/accounts.store.ts';
import type { HostedDirectory, HostedUser } from '../../../platform/identity/hosted/hosted-directory.ts';
import {
  findHostedId,
  findLink,
  type HostedLink,
  insertLink,
  keepOrganizations,
  lockHostedUser,
  mirrorProfile,
  nextReadNumber,
  updateLink,
} from '../../../platform/identity/hosted/people.store.ts';
import { endSessions } from '../../../platform/identity/sessions.store.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { claimInvitationOf } from '../invitations/one-time-tokens.store.ts';
import { endConfirmation } from '../users/sponsors.store.ts';
import { withdrawAccess } from '../users/users.service.ts';
import * as store from '../users/users.store.ts';

/** The actor of changes that happened at the identity service. */
export const CLERK_ACTOR = { kind: 'service', id: 'clerk', name: 'Clerk' } as const satisfies Actor;

export interface SyncDeps {
  db: Database;
  directory: Pick<HostedDirectory, 'readUser'>;
  log: Logger;
  now: () => Date;
}

/**
 * `refused`: its address is missing, not proven, or that of another person here who was not invited. `withdrawn`: a known
 * person lost something.
 */
export type SyncOutcome = 'joined' | 'linked' | 'known' | 'withdrawn' | 'refused' | 'gone' | 'outdated';

/**
 * Reads a user at the identity service and brings its person here up to date. At first sight its metadata may grant
 * rights; an invited person gets those of the invitation instead. Afterwards the service only takes away. The read is
 * numbered before it begins: of several at once, the one that began last is kept, whatever order they end in.
 * @throws HostedError
 */
export async function syncHostedUser(deps: SyncDeps, hostedId: string): Promise<SyncOutcome> {
  const { db, directory, log, now } = deps;
  const readNumber = await db.write(WHOLE_SCOPE, WORKER_ACTOR, nextReadNumber);
  const user = await directory.readUser(hostedId);
  return db.write(WHOLE_SCOPE, CLERK_ACTOR, async (tx) => {
    await lockHostedUser(tx, hostedId, user?.email ?? null);
    const link = await findLink(tx, hostedId);
    if (!user) return link ? leave(tx, link, now()) : 'gone';
    await keepOrganizationsOf(tx, user);
    const granted = await grantsOf(tx, user);
    if (link) return update(tx, { link, user, granted, readNumber, log }, now());
    const outcome = await admit(tx, { user, granted, readNumber }, now());
    if (outcome === 'refused') log.warn({ hostedId }, 'a user of the identity service has no account here');
    return outcome;
  });
}

/** Grants of providers that do not exist count as none. */
async function grantsOf(tx: WriteTx, user: HostedUser): Promise<HostedGrants> {
  const memberOf = user.organizations.map(({ providerId }) => providerId);
  const granted = readHostedGrants(user.metadata, memberOf);
  return { ...granted, providerIds: await store.filterProviders(tx, granted.providerIds) };
}

/** Stored so that a token which names one of them needs no question to the service. */
function keepOrganizationsOf(tx: WriteTx, { organizations }: HostedUser): Promise<void> {
  return keepOrganizations(
    tx,
    organizations.map(({ id, providerId }) => ({
      id,
      providerId: readHostedGrants({}, [providerId]).providerIds[0] ?? null,
    })),
  );
}

async function leave(tx: WriteTx, { userId }: HostedLink, at: Date): Promise<SyncOutcome> {
  const isWithdrawn = await withdrawAccess(tx, userId, ({ flags }) => ({ flags, disabled: true }), at);
  return isWithdrawn ? 'withdrawn' : 'gone';
}

interface Read {
  user: HostedUser;
  granted: HostedGrants;
  readNumber: bigint;
}

async function update(
  tx: WriteTx,
  { link, user, granted, readNumber, log }: Read & { link: HostedLink; log: Logger },
  at: Date,
): Promise<SyncOutcome> {
  if (readNumber < link.readNumber) return 'outdated';
  const { userId } = link;
  const isWithdrawn = await withdrawAccess(
    tx,
    userId,
    ({ flags, disabled }) => ({
      flags: flagsAfterWithdrawal(flags, link.granted, granted),
      disabled: disabled || user.isBanned,
    }),
    at,
  );
  await updateLink(tx, user.id, { granted, readNumber });
  await rename(tx, { userId, user, log }, at);
  return isWithdrawn ? 'withdrawn' : 'known';
}

/** Keeps the earlier address where the new one is not proven, or another person has it. */
async function rename(
  tx: WriteTx,
  { userId, user, log }: { userId: string; user: HostedUser; log: Logger },
  at: Date,
): Promise<void> {
  const before = await store.findUser(tx, userId);
  if (!before) return;
  const holder = user.email === null ? null : await store.findUserByEmail(tx, user.email);
  const isTaken = holder !== null && holder.id !== userId;
  if (isTaken)
    log.error({ userId }, 'a person has an address at the identity service that another one has here');
  const email = isTaken ? before.email : (user.email ?? before.email);
  await mirrorProfile(tx, { userId, name: user.name, email, hasSecondFactor: user.hasSecondFactor }, at);
  const target = { kind: 'user', id: userId } as const;
  if (user.name !== before.name)
    tx.audit({ action: 'user.renamed', target, before: { name: before.name }, after: { name: user.name } });
  if (email !== before.email)
    tx.audit({ action: 'user.email_changed', target, before: { email: before.email }, after: { email } });
}

async function admit(tx: WriteTx, { user, granted, readNumber }: Read, at: Date): Promise<SyncOutcome> {
  if (user.email === null) return 'refused';
  const known = await store.findUserByEmail(tx, user.email);
  const link = { hostedId: user.id, granted, readNumber };
  if (known) {
    const isInvited = !known.disabled && (await findHostedId(tx, known.id)) === null;
    if (!isInvited || !(await claimInvitationOf(tx, known.id, at))) return 'refused';
    await linkInvited(tx, known, at);
    await insertLink(tx, { ...link, userId: known.id }, at);
    await finish(tx, known.id, user, at);
    return 'linked';
  }
  const id = randomUUID();
  const flags = flagsAtFirstSight(granted);
  await store.insertUser(tx, { id, email: user.email, name: user.name, flags }, at);
  await store.markAccepted(tx, id, at);
  await insertLink(tx, { ...link, userId: id }, at);
  tx.audit({
    action: 'user.joined',
    target: { kind: 'user', id },
    after: {
      email: user.email,
      admin: flags.admin,
      super: flags.super,
      provider_access: [...flags.providerAccess],
    },
  });
  await finish(tx, id, user, at);
  return 'joined';
}

/** An invited person accepts. One who could already sign in here has to be confirmed again: only an address was proven. */
async function linkInvited(tx: WriteTx, known: store.StoredUser, at: Date): Promise<void> {
  const target = { kind: 'user', id: known.id } as const;
  if (known.active) {
    await endConfirmation(tx, known.id, at);
    await endSessions(tx, known.id, at);
    await endPassword(tx, known.id, at);
    await deleteSecondFactor(tx, known.id, at);
    tx.audit({ action: 'user.linked', target, after: { email: known.email, confirmed: false } });
    return;
  }
  await store.markAccepted(tx, known.id, at);
  tx.audit({
    action: 'user.invitation_accepted',
    target,
    before: { active: false },
    after: { active: true },
  });
}

async function finish(tx: WriteTx, userId: string, user: HostedUser, at: Date): Promise<void> {
  const { name, email, hasSecondFactor, isBanned } = user;
  if (email !== null) await mirrorProfile(tx, { userId, name, email, hasSecondFactor }, at);
  if (isBanned) await withdrawAccess(tx, userId, ({ flags }) => ({ flags, disabled: true }), at);
}
