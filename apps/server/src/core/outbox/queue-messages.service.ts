import type { MessageKind } from '@copydesk/domain';
import type { WriteTx } from '../../platform/db/database.ts';
import { insertMessages, listAddressees, type NewMessage } from './queue-messages.store.ts';
import { type NoticeFacts, renderNotice } from './render-notice.ts';

export type { NoticeFacts };

/** A fact that a trader is to be told. */
export interface QueuedNotice {
  kind: MessageKind;
  traderId: string;
  /** Whose invoices it speaks of; null: of several providers. */
  providerId: string | null;
  invoiceId: string | null;
  /** The same fact is told once. */
  dedupeKey: string;
  facts: NoticeFacts;
  /** Sent no earlier than so much later: until then it can be withdrawn. */
  delayMs?: number;
}

/**
 * Queues messages within the caller's transaction; a fact that was told before is not told again. Texts are written
 * now, in the trader's language, and stay so. Who cannot be reached gets a message that failed: it is seen, and can
 * be tried again.
 * @returns ids by dedupeKey of those that are new
 */
export async function queueMessages(
  tx: WriteTx,
  notices: readonly QueuedNotice[],
): Promise<Map<string, string>> {
  if (notices.length === 0) return new Map();
  const addressees = await listAddressees(
    tx,
    notices.map(({ traderId }) => traderId),
  );
  const messages = notices.map(({ facts, delayMs = 0, ...notice }): NewMessage => {
    const trader = addressees.get(notice.traderId);
    if (!trader) throw new Error(`trader ${notice.traderId} is to be told ${notice.kind} and does not exist`);
    return {
      ...notice,
      delayMs,
      language: trader.language,
      text: renderNotice(notice.kind, facts, trader),
      isReachable: trader.hasChat,
    };
  });
  return insertMessages(tx, messages);
}
