import type { Language, OwnerMessageKind } from '@copydesk/domain';
import { sql } from 'kysely';
import { queueOwnerMessage } from '../../../core/outbox/queue-messages.store.ts';
import { renderOwnerNotice } from '../../../core/outbox/render-owner-notice.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { CycleRow } from './cycles.store.ts';

interface Owner {
  community: string;
  name: string | null;
  language: Language | null;
  has_chat: boolean;
  proxy_address: string | null;
}

/**
 * Queues a message to the owner of the pool's community, in the transaction of the transition that it reports. An owner
 * without a chat gets a failed message, which the page of the pool shows.
 * @param nth distinguishes reminders of one cycle
 */
export async function notifyOwner(
  tx: WriteTx,
  { id, communityId, startBalanceUnits, version }: CycleRow,
  kind: OwnerMessageKind,
  { balanceUnits = startBalanceUnits ?? 0n, nth = version }: { balanceUnits?: bigint; nth?: number } = {},
): Promise<void> {
  const { rows } = await sql<Owner>`
    SELECT c.name AS community, c.owner_name AS name, c.owner_language AS language,
      c.owner_telegram_id IS NOT NULL AS has_chat, p.proxy_address
    FROM community c JOIN pooled_account p ON p.community_id = c.id WHERE c.id = ${communityId}`.execute(
    tx.sql,
  );
  const [owner] = rows;
  if (!owner?.proxy_address) throw new Error(`the pool of the community ${communityId} has no proxy wallet`);
  const language = owner.language ?? 'en';
  const facts = { community: owner.community, balanceUnits, address: owner.proxy_address };
  await queueOwnerMessage(tx, {
    communityId,
    kind,
    language,
    text: renderOwnerNotice(kind, facts, { language, name: owner.name }),
    dedupeKey: `${kind}:${id}:${nth}`,
    isReachable: owner.has_chat,
  });
}

/** The hours of the reminders that a cycle has sent. */
export async function listReminders(
  tx: WriteTx,
  { id, communityId }: Pick<CycleRow, 'id' | 'communityId'>,
): Promise<number[]> {
  const { rows } = await sql<{ hours: number }>`
    SELECT split_part(m.dedupe_key, ':', 3)::int AS hours FROM message m
    WHERE m.community_id = ${communityId} AND m.dedupe_key LIKE ${`withdraw_reminder:${id}:%`}`.execute(
    tx.sql,
  );
  return rows.map(({ hours }) => hours);
}
