import { figureEntry } from '@copydesk/contract/overview';
import { DAY_FACTS, FIGURE_NAMES } from '@copydesk/domain/overview';
import type { DaySources, FigureSources } from '../../core/overview/figure-source.ts';
import type { Database } from '../../platform/db/database.ts';
import type { TotalsCache } from '../../platform/db/lists/totals-cache.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { byPresentScope } from '../../platform/identity/present-scope.ts';
import { readDay, readFigures } from './overview.views.ts';

/** The figures of money and messages, each of what the caller sees of it. */
export function createOverviewRoutes({
  db,
  totals,
  sources,
  daySources,
}: {
  db: Database;
  totals: TotalsCache;
  sources: FigureSources;
  daySources: DaySources;
}): Pick<Handlers, `GET /api/overview${'' | '/today'}`> {
  return {
    'GET /api/overview/today': async ({ scope }) => ({
      success: true,
      data: await db.readAny(scope, (tx) => readDay(tx, daySources, DAY_FACTS)),
    }),

    'GET /api/overview': async ({ principal }) => {
      const read = await Promise.all(
        // They add up all that is owed and due: people who look at the same time share it.
        byPresentScope(principal.flags, FIGURE_NAMES, figureEntry).map(({ scope, names }) =>
          totals.get(`overview ${JSON.stringify([scope, names])}`, () =>
            db.readAny(scope, (tx) => readFigures(tx, sources, names)),
          ),
        ),
      );
      const figures = read.flatMap(({ value }) => value);
      figures.sort((a, b) => FIGURE_NAMES.indexOf(a.name) - FIGURE_NAMES.indexOf(b.name));
      return { success: true, data: figures };
    },
  };
}
