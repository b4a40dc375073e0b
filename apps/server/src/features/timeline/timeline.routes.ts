import type { TimelineSource } from '../../core/timeline/timeline-source.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findTimeline } from './timeline.views.ts';

interface TimelineDeps {
  db: Database;
  sources: readonly TimelineSource[];
}

/** What happened to the money of a thing, and what is expected next. */
export function createTimelineRoutes({ db, sources }: TimelineDeps): Pick<Handlers, 'GET /api/timeline'> {
  return {
    'GET /api/timeline': async ({ query: { subject_kind: kind, subject_id: id, limit }, scope }) => {
      const data = await db.readAny(scope, (tx) => findTimeline(tx, { kind, id }, limit, sources));
      if (!data) throw new Refusal('not_found');
      return { success: true, data };
    },
  };
}
