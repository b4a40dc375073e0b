import { sql } from 'kysely';
import type { TimelineSource } from '../../core/timeline/timeline-source.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/** What the trader was told about an invoice. */
export const messagesOfStory: TimelineSource = {
  events: (tx, { subject }) =>
    subject.kind === 'invoice'
      ? [
          {
            at: sql`coalesce(m.sent_at, m.created_at)`,
            kind: 'message',
            state: sql`CASE m.state WHEN 'sent' THEN 'done' WHEN 'failed' THEN 'failed' ELSE 'under_way' END`,
            actor: 'system',
            detail: sql`m.kind`,
            problem: sql`m.problem`,
            from: sql`message m WHERE m.invoice_id = ${subject.id} AND ${providerInScope(tx, 'm.provider_id')}`,
          },
        ]
      : [],
  open: (tx, { subject }) =>
    subject.kind === 'invoice'
      ? [
          {
            kind: sql`CASE m.state WHEN 'failed' THEN 'message_again' ELSE 'message_sent' END`,
            at: sql`CASE m.state WHEN 'queued' THEN min(m.due_at) END`,
            count: sql`count(*)::int`,
            from: sql`message m WHERE m.invoice_id = ${subject.id} AND m.state <> 'sent'
              AND ${providerInScope(tx, 'm.provider_id')} GROUP BY m.state`,
          },
        ]
      : [],
};
