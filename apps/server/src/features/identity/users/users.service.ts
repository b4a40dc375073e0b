import type { Flags } from '@copydesk/domain';
import type { AuditValue } from '../../../platform/audit/audit.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import { deleteSecondFactor, endSessions } from '../../../platform/identity/embedded/accounts.store.ts';
import { endOpenLinks } from '../invitations/one-time-tokens.store.ts';
import { revokeTokensOf } from '../service-tokens/service-tokens.store.ts';
import type { AccountLoss } from './account-mail.ts';
import { endConfirmation, sponsorUser } from './sponsors.store.ts';
import { planUserChange, type UserChange } from './user-rules.ts';
import * as store from './users.store.ts';

/**
 * Changes flags, disables or enables. Disabling ends every session, service token, invitation and password reset of the
 * user.
 * @returns what the user lost; null: neither its account nor the rights of a super admin
 */
export async function changeUser(
  tx: WriteTx,
  id: string,
  change: UserChange,
  at: Date,
): Promise<AccountLoss | null> {
  const current = await store.findUser(tx, id);
  if (!current) throw new ApiError('not_found');
  const otherSupers = await store.countOtherSupers(tx, current.id);
  // Reads again under the lock, because the earlier read may be outdated.
  const locked = (await store.findUser(tx, id)) ?? current;
  const plan = planUserChange(locked, change, otherSupers);
  if (!plan.ok) throw new ApiError(plan.code);
  await requireProviders(tx, change.providerAccess ?? []);

  const before = describe(locked.flags, locked.disabled);
  const after = describe(plan.flags, plan.disabled);
  if (JSON.stringify(before) === JSON.stringify(after)) return null;
  await store.updateAccess(tx, current.id, plan, at);
  if (plan.becomesSuper) await sponsorUser(tx, current.id, 'promoted', at);
  if (plan.disabled && !locked.disabled) {
    await endSessions(tx, current.id);
    await revokeTokensOf(tx, current.id, at);
    await endOpenLinks(tx, current.id, at);
  }
  tx.audit({ action: 'user.changed', target: { kind: 'user', id: current.id }, before, after });
  if (plan.disabled) return locked.disabled ? null : 'disabled';
  return locked.flags.super && !plan.flags.super ? 'demoted' : null;
}

/**
 * Ends every session of a user, who may sign in again.
 * @returns the number of ended sessions
 * @throws ApiError `not_found`
 */
export async function endUserSessions(tx: WriteTx, id: string): Promise<number> {
  const user = await store.findUser(tx, id);
  if (!user) throw new ApiError('not_found');
  const ended = await endSessions(tx, user.id);
  tx.audit({ action: 'user.sessions_ended', target: { kind: 'user', id: user.id }, after: { ended } });
  return ended;
}

/**
 * Removes the second factor of a user who has lost it. Its sessions end, so whoever uses one of them has to know the
 * password. Whoever asked for the removal may know it too, and sign in as that person: the account is confirmed again
 * before it approves anything, and not by its new sponsor. The own one is changed in the profile, which asks for a code.
 * @throws ApiError `not_found`, `own_account`
 */
export async function removeSecondFactorOf(tx: WriteTx, id: string, at: Date): Promise<void> {
  const user = await store.findUser(tx, id);
  if (!user) throw new ApiError('not_found');
  if (user.id === tx.actor.id) throw new ApiError('own_account');
  // Locks out confirmations until the transaction ends.
  await store.countOtherSupers(tx, user.id);
  await sponsorUser(tx, user.id, 'reset', at);
  await endConfirmation(tx, user.id, at);
  await deleteSecondFactor(tx, user.id, at);
  await endSessions(tx, user.id);
  tx.audit({
    action: 'user.second_factor_removed',
    target: { kind: 'user', id: user.id },
    after: { two_factor_enabled: false, confirmed: false },
  });
}

export async function requireProviders(tx: WriteTx, ids: readonly string[]): Promise<void> {
  if (!(await store.areProviders(tx, ids)))
    throw new ApiError('not_found', { message: 'Not found: no such provider' });
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
