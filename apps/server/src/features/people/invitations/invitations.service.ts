import { randomUUID } from 'node:crypto';
import { violatedUnique } from '../../../platform/db/connection/connection.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { createOpaqueToken, hashOpaqueToken } from '../../../platform/identity/opaque-token.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { sponsorUser } from '../users/sponsors.store.ts';
import { planFlags, type UserChange } from '../users/user-rules.ts';
import { requireProviders } from '../users/users.service.ts';
import * as store from '../users/users.store.ts';
import { claimInvitation, countInvitations, insertInvitation, recordShown } from './one-time-tokens.store.ts';

const INVITATION_MS = 48 * 3600 * 1000;
/** Each invitation is a mail to the person, so the limit counts all senders together. */
const INVITATIONS = 5;
const INVITATIONS_WITHIN_MS = 15 * 60 * 1000;
const NO_FLAGS = { admin: false, super: false, providerAccess: [] };

/**
 * Creates a user, who can sign in after accepting, and returns the token to accept. A user who has not accepted yet may
 * be invited again: the flags of the last invitation apply, earlier links end, and so does a confirmation, because the
 * last inviter has the link.
 * @throws Refusal `validation_failed`, `not_found`, `email_taken`, `too_many_invitations`
 */
export async function inviteUser(
  tx: WriteTx,
  wanted: { email: string } & UserChange,
  at: Date,
): Promise<{ id: string; token: string }> {
  const flags = planFlags(NO_FLAGS, wanted);
  if (!flags) throw new Refusal('validation_failed');
  await requireProviders(tx, flags.providerAccess);
  const id = await createOrRenew(tx, wanted.email, flags, at);
  const since = new Date(at.getTime() - INVITATIONS_WITHIN_MS);
  if ((await countInvitations(tx, id, since)) >= INVITATIONS) throw new Refusal('too_many_invitations');
  await sponsorUser(tx, id, 'invited', at);
  const token = createOpaqueToken();
  const expiresAt = new Date(at.getTime() + INVITATION_MS);
  await insertInvitation(tx, { tokenHash: hashOpaqueToken(token), userId: id, expiresAt }, at);
  tx.audit({
    action: 'user.invited',
    target: { kind: 'user', id },
    after: {
      email: wanted.email,
      admin: flags.admin,
      super: flags.super,
      provider_access: [...flags.providerAccess],
      staff_roles: { ...flags.staffRoles },
      expires_at: expiresAt.toISOString(),
    },
  });
  return { id, token };
}

/**
 * Invites a user who has not accepted yet again, with the access that it has.
 * @throws Refusal `not_found`, `invitation_accepted`
 */
export async function renewInvitation(
  tx: WriteTx,
  id: string,
  at: Date,
): Promise<{ id: string; email: string; token: string }> {
  const user = await store.findUser(tx, id);
  if (!user || user.disabled) throw new Refusal('not_found');
  if (user.active) throw new Refusal('invitation_accepted');
  return { email: user.email, ...(await inviteUser(tx, { email: user.email, ...user.flags }, at)) };
}

async function createOrRenew(
  tx: WriteTx,
  email: string,
  flags: store.NewUser['flags'],
  at: Date,
): Promise<string> {
  const known = await store.findUserByEmail(tx, email);
  if (known?.active || known?.disabled) throw new Refusal('email_taken');
  if (known) {
    await store.updateAccess(tx, known.id, { flags, disabled: false, becomesSuper: flags.super }, at);
    return known.id;
  }
  const id = randomUUID();
  await refusingTakenEmail(store.insertUser(tx, { id, email, name: email, flags }, at));
  return id;
}

/** Records that the inviter saw the link, and could accept it in place of the person. */
export async function recordShownLink(
  tx: WriteTx,
  invited: { id: string; token: string },
  at: Date,
): Promise<void> {
  await recordShown(tx, hashOpaqueToken(invited.token), at);
  tx.audit({ action: 'user.invitation_shown', target: { kind: 'user', id: invited.id } });
}

/** Uses an invitation: its user may sign in with this password from now on. */
export async function acceptInvitation(
  tx: WriteTx,
  accepted: { token: string; name: string; passwordHash: string },
  at: Date,
): Promise<{ id: string; email: string }> {
  const claimed = await claimInvitation(tx, hashOpaqueToken(accepted.token), at);
  const user = claimed && (await store.findUser(tx, claimed.userId));
  if (!user || user.disabled || user.active) throw new Refusal('invitation_invalid');
  await store.activateUser(tx, { ...accepted, id: user.id }, at);
  tx.audit({
    action: 'user.invitation_accepted',
    target: { kind: 'user', id: user.id },
    before: { name: user.name, active: false },
    after: { name: accepted.name, active: true, ...(claimed?.wasShown && { link_was_shown: true }) },
  });
  return { id: user.id, email: user.email };
}

/** With two concurrent invitations of one address, the second one gets an error. */
export async function refusingTakenEmail(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (violatedUnique(error) === 'user_email_key') throw new Refusal('email_taken');
    throw error;
  }
}
