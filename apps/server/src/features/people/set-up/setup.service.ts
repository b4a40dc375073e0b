import { randomUUID } from 'node:crypto';
import type { WriteTx } from '../../../platform/db/database.ts';
import { hashOpaqueToken } from '../../../platform/identity/opaque-token.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { refusingTakenEmail } from '../invitations/invitations.service.ts';
import { claimSetupToken } from '../invitations/one-time-tokens.store.ts';
import { setConfirmed } from '../users/sponsors.store.ts';
import * as store from '../users/users.store.ts';

/** Claims the set-up token and creates the first super admin in one transaction: on failure the token stays valid. */
export async function claimSetup(
  tx: WriteTx,
  claim: { token: string; email: string; name: string; passwordHash: string },
  at: Date,
): Promise<{ id: string }> {
  const claimed = await claimSetupToken(tx, hashOpaqueToken(claim.token), at);
  // Tokens of other processes may still be open; the first claim closes them all.
  if (!claimed || (await store.countOtherSupers(tx, null)) > 0) throw new Refusal('setup_token_invalid');
  const id = randomUUID();
  const flags = { admin: true, super: true, providerAccess: [] };
  await refusingTakenEmail(store.insertUser(tx, { id, email: claim.email, name: claim.name, flags }, at));
  await store.activateUser(tx, { id, name: claim.name, passwordHash: claim.passwordHash }, at);
  await setConfirmed(tx, id, null, at);
  tx.audit({
    action: 'user.set_up',
    target: { kind: 'user', id },
    after: { email: claim.email, name: claim.name, admin: true, super: true },
  });
  return { id };
}
