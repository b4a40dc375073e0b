import { type Flags, mayTakeFrom } from '@copydesk/domain/access';
import { readVouching } from '../../../core/transfers/orders/vouching.views.ts';
import type { AuditValue } from '../../../platform/audit/audit.ts';
import { requireSeen } from '../../../platform/audit/seen-version.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { deleteSecondFactor } from '../../../platform/identity/embedded/accounts.store.ts';
import { endSessions } from '../../../platform/identity/sessions.store.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { endInvitationsBy, endOpenLinks } from '../invitations/one-time-tokens.store.ts';
import { revokeTokensOf } from '../service-tokens/service-tokens.store.ts';
import type { AccountLoss } from './account-mail.ts';
import { endConfirmation, sponsorUser } from './sponsors.store.ts';
import { type AccessChange, planUserChange, wholeLists } from './user-rules.ts';
import * as store from './users.store.ts';

/**
 * Changes flags, disables or enables. Disabling ends every session, service token, invitation and password reset of the
 * user; the invitations that it made end with its rights.
 * @throws Refusal `not_found`, `changed_meanwhile`, `last_super_admin`, `actor_not_confirmed`
 * @returns what the user lost; null: neither its account nor the rights of a super admin
 */
export async function changeUser(
  tx: WriteTx,
  id: string,
  { version: seen, ...change }: AccessChange & { version?: string | undefined },
  at: Date,
): Promise<AccountLoss | null> {
  const current = await store.findUser(tx, id);
  if (!current) throw new Refusal('not_found');
  const otherSupers = await store.countOtherSupers(tx, current.id);
  // Reads again under the lock, because the earlier read may be outdated.
  const locked = (await store.findUser(tx, id)) ?? current;
  const { added = [] } = change.providerAccess ?? {};
  await requireSeen(tx, {
    target: { kind: 'user', id: locked.id },
    actions: ['user.changed'],
    seen,
    version: locked.version,
    present: describe(locked.flags, locked.disabled),
    wanted: wiredChange(locked.flags, change),
  });
  const plan = planUserChange(locked, wholeLists(locked.flags, change), otherSupers);
  if (!plan.ok) throw new Refusal(plan.code);
  if (lossOf(locked, plan)) await requireMayTake(tx, locked.id);
  await requireProviders(tx, added);
  await applyChange(tx, locked, plan, at);
  return lossOf(locked, plan);
}

/**
 * Takes away what the identity service withdrew, or the account of a person whom it banned or deleted. This
 * applies to the last super admin too: the person could not sign in anyway, and `npm run admin` makes another
 * one.
 * @returns whether anything was left to take away
 */
export async function withdrawAccess(
  tx: WriteTx,
  id: string,
  after: (locked: store.StoredUser) => { flags: Flags; disabled: boolean },
  at: Date,
): Promise<boolean> {
  // Locks out promotions and confirmations until the transaction ends.
  await store.countOtherSupers(tx, id);
  const user = await store.findUser(tx, id);
  if (!user) throw new Refusal('not_found');
  return applyChange(tx, user, { ...after(user), becomesSuper: false }, at);
}

interface AccessPlan {
  flags: Flags;
  disabled: boolean;
  becomesSuper: boolean;
}

/** @returns whether it changes anything */
async function applyChange(
  tx: WriteTx,
  user: store.StoredUser,
  plan: AccessPlan,
  at: Date,
): Promise<boolean> {
  const before = describe(user.flags, user.disabled);
  const after = describe(plan.flags, plan.disabled);
  if (JSON.stringify(before) === JSON.stringify(after)) return false;
  await store.updateAccess(tx, user.id, plan, at);
  if (plan.becomesSuper) await sponsorUser(tx, user.id, 'promoted', at);
  if (plan.disabled || !plan.flags.super) await endInvitationsBy(tx, user.id, at);
  if (plan.disabled && !user.disabled) {
    await endSessions(tx, user.id, at);
    await revokeTokensOf(tx, user.id, at);
    await endOpenLinks(tx, user.id, at);
  }
  tx.audit({ action: 'user.changed', target: { kind: 'user', id: user.id }, before, after });
  return true;
}

function lossOf(user: store.StoredUser, plan: AccessPlan): AccountLoss | null {
  if (plan.disabled) return user.disabled ? null : 'disabled';
  return user.flags.super && !plan.flags.super ? 'demoted' : null;
}

/**
 * Ends every session of a user, who may sign in again.
 * @returns the number of ended sessions
 * @throws Refusal `not_found`, `actor_not_confirmed`
 */
export async function endUserSessions(tx: WriteTx, id: string, at: Date): Promise<number> {
  const user = await store.findUser(tx, id);
  if (!user) throw new Refusal('not_found');
  await requireMayTake(tx, user.id);
  const ended = await endSessions(tx, user.id, at);
  tx.audit({ action: 'user.sessions_ended', target: { kind: 'user', id: user.id }, after: { ended } });
  return ended;
}

/**
 * Removes the second factor of a user who has lost it. Its sessions end, so an intruder in one of them needs
 * the password.
 * The person who asked for the removal may know the password and sign in as that user: the account must
 * therefore be confirmed again before it approves anything, and not by its new sponsor. A person's own factor
 * is changed in the profile, which asks for a code.
 * @throws Refusal `not_found`, `own_account`, `actor_not_confirmed`
 */
export async function removeSecondFactorOf(tx: WriteTx, id: string, at: Date): Promise<void> {
  const user = await store.findUser(tx, id);
  if (!user) throw new Refusal('not_found');
  if (user.id === tx.actor.id) throw new Refusal('own_account');
  // Locks out confirmations until the transaction ends.
  await store.countOtherSupers(tx, user.id);
  await requireMayTake(tx, user.id);
  await sponsorUser(tx, user.id, 'reset', at);
  await endConfirmation(tx, user.id, at);
  await deleteSecondFactor(tx, user.id, at);
  await endSessions(tx, user.id, at);
  tx.audit({
    action: 'user.second_factor_removed',
    target: { kind: 'user', id: user.id },
    after: { two_factor_enabled: false, confirmed: false },
  });
}

/** @throws Refusal `actor_not_confirmed` when an unconfirmed super admin acts on a confirmed one */
async function requireMayTake(tx: WriteTx, id: string): Promise<void> {
  // The operator of the server and the identity service need no confirmation by a super admin.
  if (tx.actor.kind !== 'user') return;
  const known = await readVouching(tx, [tx.actor.id, id]);
  if (!mayTakeFrom(known.get(tx.actor.id), known.get(id))) throw new Refusal('actor_not_confirmed');
}

export async function requireProviders(tx: WriteTx, ids: readonly string[]): Promise<void> {
  if (!(await store.areProviders(tx, ids)))
    throw new Refusal('not_found', { message: 'Not found: no such provider' });
}

/** The change as a conflict shows it, beside the present values. */
function wiredChange(flags: Flags, change: AccessChange): object {
  const { admin, super: isSuper, disabled } = change;
  const lists = wholeLists(flags, change);
  return {
    admin,
    super: isSuper,
    provider_access: change.providerAccess && lists.providerAccess,
    staff_roles: change.staffRoles && lists.staffRoles,
    disabled,
  };
}

function describe(flags: Flags, disabled: boolean): Record<string, AuditValue> {
  return {
    admin: flags.admin,
    super: flags.super,
    provider_access: [...flags.providerAccess].sort(),
    staff_roles: { ...flags.staffRoles },
    disabled,
  };
}
