import { randomUUID } from 'node:crypto';
import { queueMessages } from '../../core/outbox/queue-messages.service.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findPresentRequest, readKeysToReplace } from './ask-key.store.ts';
import { findTraderToNotify } from './notify.store.ts';

/**
 * Queues a message that asks a trader for new keys where its exchanges refuse the present ones or, if none does, end them
 * soon. One that waits, or was sent within a day, is returned instead, which `isPresent` says.
 * @throws Refusal `not_found`, `keys_work`, `trader_not_reachable`
 */
export async function askForKey(
  tx: WriteTx,
  traderId: string,
): Promise<{ messageId: string; isPresent: boolean }> {
  // Locks the trader, so the second of two concurrent calls finds the message of the first.
  const trader = await findTraderToNotify(tx, traderId);
  if (!trader) throw new Refusal('not_found');
  const keys = await readKeysToReplace(tx, traderId);
  if (!keys) throw new Refusal('keys_work');
  const { kind, exchanges, providerId, endsAt } = keys;
  if (!trader.has_chat) throw new Refusal('trader_not_reachable');
  const presentId = await findPresentRequest(tx, traderId, kind);
  if (presentId) return { messageId: presentId, isPresent: true };

  const dedupeKey = `${kind}:${randomUUID()}`;
  const queued = await queueMessages(tx, [
    { kind, traderId, providerId, invoiceId: null, dedupeKey, facts: { exchanges, endsAt } },
  ]);
  const messageId = queued.get(dedupeKey) as string;
  tx.audit({
    action: 'trader.asked_for_key',
    target: { kind: 'trader', id: traderId },
    after: {
      message_id: messageId,
      exchanges: [...exchanges],
      ...(endsAt && { ends_at: endsAt.toISOString() }),
    },
  });
  return { messageId, isPresent: false };
}

/**
 * The same for one of many, where a trader that cannot be asked is left out.
 * @returns null: a message is queued; else why none is
 */
export async function askAsOneOfMany(
  tx: WriteTx,
  traderId: string,
): Promise<'gone' | 'keys_work' | 'not_reachable' | 'told_lately' | null> {
  try {
    const { isPresent } = await askForKey(tx, traderId);
    return isPresent ? 'told_lately' : null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'not_found') return 'gone';
    if (error.code === 'keys_work') return 'keys_work';
    if (error.code === 'trader_not_reachable') return 'not_reachable';
    throw error;
  }
}
