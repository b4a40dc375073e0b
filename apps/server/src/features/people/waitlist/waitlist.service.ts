import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { inviteUser } from '../invitations/invitations.service.ts';
import { findUserByEmail } from '../users/users.store.ts';
import { findEntryForUpdate, saveDecision, type WaitlistEntry } from './waitlist.store.ts';

/**
 * Approves a request by an invitation as staff of these providers.
 * @throws Refusal `not_found`, `waitlist_decided`, `invited_as_super`, `email_taken`, `too_many_invitations`
 */
export async function approveEntry(
  tx: WriteTx,
  id: string,
  providerAccess: readonly string[],
  at: Date,
): Promise<{ id: string; email: string; token: string }> {
  const { email } = await requireWaiting(tx, id);
  // An invitation as staff would replace the one as super admin, and its rights.
  const known = await findUserByEmail(tx, email);
  if (known && !known.active && known.flags.super) throw new Refusal('invited_as_super');
  const invited = await inviteUser(tx, { email, admin: true, super: false, providerAccess }, at);
  await saveDecision(tx, id, 'approved', at);
  tx.audit({
    action: 'waitlist.approved',
    target: { kind: 'user', id: invited.id },
    after: { email, provider_access: [...providerAccess] },
  });
  return { ...invited, email };
}

/** @throws Refusal `not_found`, `waitlist_decided` */
export async function declineEntry(tx: WriteTx, id: string, at: Date): Promise<void> {
  const { email } = await requireWaiting(tx, id);
  await saveDecision(tx, id, 'declined', at);
  tx.audit({ action: 'waitlist.declined', target: { kind: 'waitlist', id }, after: { email } });
}

async function requireWaiting(tx: WriteTx, id: string): Promise<WaitlistEntry> {
  const entry = await findEntryForUpdate(tx, id);
  if (!entry) throw new Refusal('not_found');
  if (entry.state !== 'waiting') throw new Refusal('waitlist_decided');
  return entry;
}
