import type { Language } from '@copydesk/domain/catalogue';
import { type OwnerMessageKind, plainMessage } from '@copydesk/domain/messages';
import { sql } from 'kysely';
import type { OwnerLinks } from '../../../../core/outbox/owner-link.ts';
import { queueOwnerMessage } from '../../../../core/outbox/queue-messages.store.ts';
import { renderOwnerNotice } from '../../../../core/outbox/render-owner-notice.ts';
import type { Tx, WriteTx } from '../../../../platform/db/database.ts';
import type { CycleRow } from '../cycles.store.ts';

interface Owner {
  community: string;
  name: string | null;
  language: Language;
  hasChat: boolean;
  /** The proxy wallet. */
  address: string;
}

/** The owner of a community with a pool. For super admins and the worker, who see every row. */
export async function findOwner(tx: Tx, communityId: string): Promise<Owner> {
  const { rows } = await sql<Omit<Owner, 'address'> & { address: string | null }>`
    SELECT c.name AS community, c.owner_name AS name, coalesce(c.owner_language, 'en') AS language,
      c.owner_telegram_id IS NOT NULL AS "hasChat", p.proxy_address AS address
    FROM community c JOIN pooled_account p ON p.community_id = c.id WHERE c.id = ${communityId}`.execute(
    tx.sql,
  );
  const [owner] = rows;
  if (!owner?.address) throw new Error(`the pool of the community ${communityId} has no proxy wallet`);
  return { ...owner, address: owner.address };
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
  {
    links,
    balanceUnits = startBalanceUnits ?? 0n,
    nth = version,
  }: { links: OwnerLinks; balanceUnits?: bigint; nth?: number | string },
): Promise<void> {
  const { community, name, language, hasChat, address } = await findOwner(tx, communityId);
  const facts = { community, balanceUnits, address, link: links.urlOf(id) };
  await queueOwnerMessage(tx, {
    communityId,
    kind,
    language,
    text: renderOwnerNotice(kind, facts, { language, name }),
    dedupeKey: `${kind}:${id}:${nth}`,
    isReachable: hasChat,
  });
}

/** The reminder that would be sent now, without its marks. */
export async function renderReminder(
  tx: Tx,
  { id, communityId, startBalanceUnits }: CycleRow,
  links: OwnerLinks,
): Promise<{ text: string; language: Language }> {
  const { community, name, language, address } = await findOwner(tx, communityId);
  const facts = { community, balanceUnits: startBalanceUnits ?? 0n, address, link: links.urlOf(id) };
  return { text: plainMessage(renderOwnerNotice('withdraw_reminder', facts, { language, name })), language };
}

/** The hours of the reminders that a cycle has sent. */
export async function listReminders(
  tx: WriteTx,
  { id, communityId }: Pick<CycleRow, 'id' | 'communityId'>,
): Promise<number[]> {
  const { rows } = await sql<{ hours: number }>`
    SELECT split_part(m.dedupe_key, ':', 3)::int AS hours FROM message m
    WHERE m.community_id = ${communityId} AND m.dedupe_key LIKE ${`withdraw_reminder:${id}:%`}
      AND split_part(m.dedupe_key, ':', 3) ~ '^\\d+$'`.execute(tx.sql);
  return rows.map(({ hours }) => hours);
}
