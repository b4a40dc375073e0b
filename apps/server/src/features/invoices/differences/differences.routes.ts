import { sql } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { findDifferenceTrader, listDifferences } from './differences.views.ts';

const DEFAULT_PAGE = 25;

type DifferenceRoutes = Pick<Handlers, `${string} /api/invoices/differences${string}` & keyof Handlers>;

export function createDifferenceRoutes({ db }: { db: Database }): DifferenceRoutes {
  return {
    'GET /api/invoices/differences': async ({ query: { limit = DEFAULT_PAGE, offset = 0 }, scope }) => ({
      success: true,
      ...(await db.read(scope, (tx) => listDifferences(tx, { limit, offset }))),
    }),

    'POST /api/invoices/differences/dismiss': async ({ body: { kind, id, seen }, scope, actor }) => {
      await db.write(scope, actor, async (tx) => {
        const traderId = await findDifferenceTrader(tx, { kind, id, seen });
        if (!traderId) throw new ApiError('not_found');
        await sql`INSERT INTO difference_decision (kind, subject_id, seen, decided_by, decided_by_id)
          VALUES (${kind}, ${id}, ${seen}, ${actor.name}, ${actor.id}) ON CONFLICT DO NOTHING`.execute(
          tx.sql,
        );
        tx.audit({
          action: 'invoice.difference_dismissed',
          target: { kind: 'trader', id: traderId },
          after: { kind, seen },
        });
      });
      return { success: true, data: { kind, id } };
    },
  };
}
