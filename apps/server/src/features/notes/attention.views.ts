import { sql } from 'kysely';
import type { AttentionSource } from '../../core/attention/attention-source.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/** What notes ask the reader to look at, until it has: one item for each thing that they are about. */
export const ownMentions: AttentionSource = {
  items: (tx, viewerId) => ({
    from: sql`note_mention m JOIN note n ON n.id = m.note_id
      WHERE m.person_id = ${viewerId} AND m.done_at IS NULL AND n.removed_at IS NULL
        AND ${providerInScope(tx, 'n.provider_id')}
      GROUP BY n.subject_kind, n.subject_id, n.provider_id`,
    // One item for each person: one person's mark must not affect another's.
    subject: sql`n.subject_kind || ':' || n.subject_id || ':' || ${viewerId}::text`,
    providerId: sql`n.provider_id`,
    since: sql`min(n.created_at)`,
    code: sql`n.subject_kind`,
    count: sql`count(*)`,
    turn: sql`'you'`,
  }),
  about: {
    from: sql`(SELECT split_part(i.subject, ':', 1) AS kind, split_part(i.subject, ':', 2)::uuid AS id) k
      LEFT JOIN invoice v ON k.kind = 'invoice' AND v.id = k.id
      LEFT JOIN payout y ON k.kind = 'payout' AND y.id = k.id
      LEFT JOIN pooled_account a ON k.kind = 'pool' AND a.id = k.id
      LEFT JOIN trader t ON t.id = CASE k.kind WHEN 'trader' THEN k.id ELSE v.trader_id END
      LEFT JOIN community c ON c.id = coalesce(y.community_id, a.community_id)`,
    columns: {
      title: sql`coalesce(t.reference_number, '@' || nullif(t.telegram_username, ''), t.name, left(t.id::text, 8), c.name)`,
      traderId: sql`t.id`,
      communityId: sql`coalesce(t.community_id, c.id)`,
      poolId: sql`a.id`,
    },
  },
};
