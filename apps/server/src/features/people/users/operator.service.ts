import type { WriteTx } from '../../../platform/db/database.ts';
import {
  deleteSecondFactor,
  insertPasswordReset,
} from '../../../platform/identity/embedded/accounts.store.ts';
import { createOpaqueToken } from '../../../platform/identity/opaque-token.ts';
import { endSessions } from '../../../platform/identity/sessions.store.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { inviteUser } from '../invitations/invitations.service.ts';
import { confirmByOperator } from './confirmation.service.ts';
import { changeUser, endUserSessions } from './users.service.ts';
import { findUserByEmail } from './users.store.ts';

// Actions for a person with access to the server, when the console offers no way.

const RESET_MS = 3600 * 1000;

/**
 * Makes a super admin of an e-mail address: a new user gets an invitation, an existing one gets the flag. The operator
 * vouches for it, so it is confirmed at once.
 * @returns the token of the invitation, or null when none is needed
 */
export async function makeSuperAdmin(tx: WriteTx, email: string, at: Date): Promise<string | null> {
  const known = await findUserByEmail(tx, email);
  const token = known?.active ? null : (await inviteUser(tx, { email, super: true }, at)).token;
  if (known?.active) await changeUser(tx, known.id, { super: true, disabled: false }, at);
  await confirmSuperAdmin(tx, email, at);
  return token;
}

/** Confirms a super admin, who may then approve requests and confirm others. */
export async function confirmSuperAdmin(tx: WriteTx, email: string, at: Date): Promise<void> {
  await confirmByOperator(tx, await requireUser(tx, email), at);
}

/** Creates a token to choose a new password within the hour, for when mail cannot be sent. */
export async function createResetToken(tx: WriteTx, email: string, at: Date): Promise<string> {
  const user = await requireActiveUser(tx, email);
  const token = createOpaqueToken();
  const expiresAt = new Date(at.getTime() + RESET_MS);
  await insertPasswordReset(tx, { userId: user.id, token, expiresAt }, at);
  tx.audit({
    action: 'user.password_reset_offered',
    target: { kind: 'user', id: user.id },
    after: { email },
  });
  return token;
}

/** Removes the second factors of a user who lost the devices and the backup codes, and ends its sessions. */
export async function removeSecondFactor(tx: WriteTx, email: string, at: Date): Promise<void> {
  const { id } = await requireActiveUser(tx, email);
  await deleteSecondFactor(tx, id, at);
  await endSessions(tx, id, at);
  tx.audit({
    action: 'user.second_factor_removed',
    target: { kind: 'user', id },
    after: { two_factor_enabled: false },
  });
}

/** Disables a user, which ends its sessions and its service tokens, or enables it again. */
export async function setDisabled(tx: WriteTx, email: string, disabled: boolean, at: Date): Promise<void> {
  await changeUser(tx, (await requireUser(tx, email)).id, { disabled }, at);
}

/** Ends every session of a user. @returns the number of ended sessions */
export async function endSessionsOf(tx: WriteTx, email: string, at: Date): Promise<number> {
  return endUserSessions(tx, (await requireUser(tx, email)).id, at);
}

async function requireUser(tx: WriteTx, email: string) {
  const user = await findUserByEmail(tx, email);
  if (!user) throw new Refusal('not_found', { message: `No user has the address ${email}` });
  return user;
}

async function requireActiveUser(tx: WriteTx, email: string) {
  const user = await findUserByEmail(tx, email);
  if (!user?.active || user.disabled)
    throw new Refusal('not_found', { message: `No user who can sign in has the address ${email}` });
  return user;
}
