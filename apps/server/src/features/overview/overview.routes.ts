import { figureEntry } from '@copydesk/contract/overview';
import { FIGURE_NAMES } from '@copydesk/domain/overview';
import type { FigureSources } from '../../core/overview/figure-source.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { byPresentScope } from '../../platform/identity/present-scope.ts';
import { readFigures } from './overview.views.ts';

/** The figures of money and messages, each of what the caller sees of it. */
export function createOverviewRoutes({
  db,
  sources,
}: {
  db: Database;
  sources: FigureSources;
}): Pick<Handlers, 'GET /api/overview'> {
  return {
    'GET /api/overview': async ({ principal, actor }) => {
      const read = await Promise.all(
        byPresentScope(principal.flags, FIGURE_NAMES, figureEntry).map(({ scope, names }) =>
          db.read(scope, (tx) => readFigures(tx, sources, names), actor),
        ),
      );
      const figures = read.flat();
      figures.sort((a, b) => FIGURE_NAMES.indexOf(a.name) - FIGURE_NAMES.indexOf(b.name));
      return { success: true, data: figures };
    },
  };
}
