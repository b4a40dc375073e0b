import { decideConfirmation, type Vouched } from '@copydesk/domain/access';
import { readOtherConfirmed, readVouching } from '../../../core/transfers/orders/vouching.views.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { setConfirmed } from './sponsors.store.ts';
import { countOtherSupers, findUser, type StoredUser } from './users.store.ts';

/**
 * Records a super admin's statement that another one is a separate person known to them. An already confirmed one stays
 * unchanged.
 * @throws Refusal `not_found`, and the refusals of `decideConfirmation`
 */
export async function confirmUser(tx: WriteTx, id: string, at: Date): Promise<void> {
  const user = await findUser(tx, id);
  if (!user) throw new Refusal('not_found');
  // Locks out promotions and demotions until the transaction ends.
  await countOtherSupers(tx, user.id);
  const known = await readVouching(tx, [user.id, tx.actor.id]);
  const [candidate, confirmer] = [known.get(user.id), known.get(tx.actor.id)];
  const unvouched: Vouched = { id: tx.actor.id, isConfirmed: false, sponsorIds: [] };
  const refusal = decideConfirmation({
    confirmer: confirmer ?? unvouched,
    candidate: candidate ?? { ...unvouched, id: user.id },
    isActiveSuper: candidate?.superSince != null,
    otherConfirmed: (await readOtherConfirmed(tx, user.id)).length,
  });
  if (refusal) throw new Refusal(refusal);
  if (!candidate?.isConfirmed) await confirm(tx, user, tx.actor.id, at);
}

/** Confirms a super admin in the name of the server's operator, without another super admin. */
export async function confirmByOperator(tx: WriteTx, user: StoredUser, at: Date): Promise<void> {
  if (!user.flags.super || user.disabled)
    throw new Refusal('not_a_super_admin', { message: `${user.email} is not an active super admin` });
  await confirm(tx, user, null, at);
}

async function confirm(tx: WriteTx, user: StoredUser, byId: string | null, at: Date): Promise<void> {
  await setConfirmed(tx, user.id, byId, at);
  tx.audit({
    action: 'user.confirmed',
    target: { kind: 'user', id: user.id },
    after: { email: user.email, by: byId ?? 'operator' },
  });
}
