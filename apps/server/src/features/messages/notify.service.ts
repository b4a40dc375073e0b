import { randomUUID } from 'node:crypto';
import { queueMessages } from '../../core/outbox/queue-messages.service.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findPresentNotice, findTraderToNotify, hasBlocked, sumUnpaid } from './notify.store.ts';

/**
 * Queues a message about a trader's unpaid invoices. If one is still queued, or the same was sent within a
 * minute, it is returned instead, and `isPresent` is true. `isBlocked`: the last attempted message failed
 * because the trader has blocked the bot.
 * @throws Refusal `not_found`, `nothing_unpaid`, `trader_not_reachable`
 */
export async function notifyUnpaid(
  tx: WriteTx,
  traderId: string,
): Promise<{ messageId: string; isBlocked: boolean; isPresent: boolean }> {
  // Locks the trader, so the second of two concurrent calls finds the message of the first.
  const trader = await findTraderToNotify(tx, traderId);
  if (!trader) throw new Refusal('not_found');
  if (!trader.has_chat) throw new Refusal('trader_not_reachable');
  const unpaid = await sumUnpaid(tx, traderId);
  if (unpaid.invoice_count === 0) throw new Refusal('nothing_unpaid');
  const presentId = await findPresentNotice(tx, traderId, unpaid.provider_id);
  const isBlocked = await hasBlocked(tx, traderId);
  if (presentId) return { messageId: presentId, isBlocked, isPresent: true };

  const dedupeKey = `unpaid_invoices:${randomUUID()}`;
  const units = BigInt(unpaid.outstanding_units);
  const queued = await queueMessages(tx, [
    {
      kind: 'unpaid_invoices',
      traderId,
      providerId: unpaid.provider_id,
      invoiceId: null,
      dedupeKey,
      facts: {
        amountUnits: units,
        outstandingUnits: units,
        offPlatformUnits: 0n,
        invoiceCount: unpaid.invoice_count,
        dueAt: unpaid.due_at,
        paymentAddress: trader.deposit_address ?? unpaid.payment_address,
      },
    },
  ]);
  const messageId = queued.get(dedupeKey) as string;
  tx.audit({
    action: 'trader.notified',
    target: { kind: 'trader', id: traderId },
    after: {
      message_id: messageId,
      invoices: unpaid.invoice_count,
      outstanding_units: unpaid.outstanding_units,
    },
  });
  return { messageId, isBlocked, isPresent: false };
}

/**
 * The same for one of many, where a trader that cannot be notified is left out.
 * @returns null: a message is queued; else why none is
 */
export async function notifyAsOneOfMany(
  tx: WriteTx,
  traderId: string,
): Promise<'gone' | 'nothing_unpaid' | 'not_reachable' | 'told_lately' | null> {
  try {
    const { isPresent } = await notifyUnpaid(tx, traderId);
    return isPresent ? 'told_lately' : null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'not_found') return 'gone';
    if (error.code === 'nothing_unpaid') return 'nothing_unpaid';
    if (error.code === 'trader_not_reachable') return 'not_reachable';
    throw error;
  }
}
