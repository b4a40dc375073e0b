import type { MESSAGE_STATES } from '@copydesk/domain/messages';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/** Serialises concurrent sends, so that the second person sees what the first has sent. */
export async function lockOwner(tx: WriteTx, communityId: string): Promise<void> {
  await sql`
    SELECT FROM community c WHERE c.id = ${communityId} AND ${communityInScope(tx, 'c.id')} FOR UPDATE`.execute(
    tx.sql,
  );
}

interface SentLink {
  at: Date;
  state: (typeof MESSAGE_STATES)[number];
  by: string;
  /** Sent within the last ten minutes: too soon for another. */
  isRecent: boolean;
}

/** The link that was sent to the owner of a community last; null: none. For super admins, who see these messages. */
export async function findLastLink(tx: Tx, communityId: string): Promise<SentLink | null> {
  const { rows } = await sql<SentLink>`
    SELECT m.created_at AS at, m.state, m.requested_by AS by,
      m.created_at > now() - interval '10 minutes' AS "isRecent"
    FROM message m WHERE m.community_id = ${communityId} AND m.kind = 'payment_link'
    ORDER BY m.created_at DESC LIMIT 1`.execute(tx.sql);
  return rows[0] ?? null;
}
