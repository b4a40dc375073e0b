import { MANY_REFUSALS } from '@copydesk/domain/attention';
import { sql } from 'kysely';
import type { AttentionSource } from '../../core/attention/attention-source.ts';

/** Callers of whom many attempts were refused within an hour of the last day. */
export const manyRefusals: AttentionSource = {
  items: () => ({
    from: sql`refused_attempt r WHERE r.last_at > now() - interval '1 day' AND r.count >= ${sql.lit(MANY_REFUSALS)}`,
    subject: sql`r.id::text`,
    since: sql`r.first_at`,
    code: sql`r.code`,
    count: sql`r.count`,
    cause: sql`r.code`,
  }),
  about: {
    from: sql`refused_attempt r WHERE r.id = i.subject::uuid`,
    columns: { title: sql`coalesce(r.caller_name, r.address)` },
  },
};
