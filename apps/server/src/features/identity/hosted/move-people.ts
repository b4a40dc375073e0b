import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import type { HostedDirectory } from '../../../platform/identity/hosted/hosted-directory.ts';
import { deleteLink, isLinked } from '../../../platform/identity/hosted/people.store.ts';
import { createOpaqueToken, hashOpaqueToken } from '../../../platform/identity/opaque-token.ts';
import { endSessions } from '../../../platform/identity/sessions.store.ts';
import { inviteUser } from '../invitations/invitations.service.ts';
import { insertInvitation } from '../invitations/one-time-tokens.store.ts';
import { markInvited } from '../users/users.store.ts';
import { listUsers, type User } from '../users/users.views.ts';

const EXPIRES_IN_DAYS = 30;
const DAY_MS = 86_400_000;
const OPERATOR = { kind: 'system', id: 'operator', name: 'Operator' } as const;

interface Deps {
  db: Database;
  now: () => Date;
}

const listPeople = async (db: Database): Promise<User[]> =>
  (await db.read(WHOLE_SCOPE, (tx) => listUsers(tx, { limit: 10_000 }))).filter(({ disabled }) => !disabled);

/**
 * Has the hosted service invite everyone who has an account here and none there. Rights, sponsors and service tokens stay
 * as they are; passwords and second factors end when the invitation is accepted. Can be repeated.
 * @returns the invited addresses, one at a time
 * @throws HostedError
 */
export async function* moveToHosted({
  db,
  now,
  directory,
}: Deps & { directory: Pick<HostedDirectory, 'invite'> }): AsyncGenerator<string> {
  for (const { id, email } of await listPeople(db)) {
    const isOffered = await db.write(WHOLE_SCOPE, OPERATOR, (tx) => offerHosted(tx, { id, email }, now()));
    if (!isOffered) continue;
    await directory.invite({ email, expiresInDays: EXPIRES_IN_DAYS });
    yield email;
  }
}

async function offerHosted(
  tx: WriteTx,
  { id, email }: Pick<User, 'id' | 'email'>,
  at: Date,
): Promise<boolean> {
  if (await isLinked(tx, id)) return false;
  // Its token is known to no one: the service proves the address instead.
  const tokenHash = hashOpaqueToken(createOpaqueToken());
  const expiresAt = new Date(at.getTime() + EXPIRES_IN_DAYS * DAY_MS);
  await insertInvitation(tx, { tokenHash, userId: id, expiresAt }, at);
  tx.audit({ action: 'user.move_offered', target: { kind: 'user', id }, after: { email, to: 'hosted' } });
  return true;
}

/**
 * Invites everyone who signed in at the hosted service to choose a password here. The link to the account there ends; the
 * rights stay, and super admins are confirmed again. Can be repeated.
 * @returns addresses with the tokens of their invitations, one at a time
 */
export async function* moveToEmbedded({ db, now }: Deps): AsyncGenerator<{ email: string; token: string }> {
  for (const { id, email } of await listPeople(db)) {
    const token = await db.write(WHOLE_SCOPE, OPERATOR, (tx) => offerEmbedded(tx, { id, email }, now()));
    if (token !== null) yield { email, token };
  }
}

async function offerEmbedded(
  tx: WriteTx,
  { id, email }: Pick<User, 'id' | 'email'>,
  at: Date,
): Promise<string | null> {
  if (!(await isLinked(tx, id))) return null;
  const user = (await listUsers(tx, { limit: 1, search: email })).find((one) => one.id === id);
  if (!user) return null;
  await endSessions(tx, id, at);
  await deleteLink(tx, id);
  await markInvited(tx, id);
  const { admin, super: isSuper, provider_access: providerAccess, staff_roles: staffRoles } = user;
  const { token } = await inviteUser(tx, { email, admin, super: isSuper, providerAccess, staffRoles }, at);
  tx.audit({ action: 'user.move_offered', target: { kind: 'user', id }, after: { email, to: 'embedded' } });
  return token;
}
