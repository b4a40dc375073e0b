import { SEARCH_KINDS, searchEntry } from '@copydesk/contract/search';
import type { Database } from '../../platform/db/database.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import type { SearchSources } from '../../platform/http/search-source.ts';
import { presentScope } from '../../platform/identity/present-scope.ts';

/** More results of a kind would not be read: a more precise text finds more. */
const OF_EACH_KIND = 5;

/** One search of everything that the caller may see. */
export function createSearchRoutes({
  db,
  sources,
}: {
  db: Database;
  sources: SearchSources;
}): Pick<Handlers, 'GET /api/search'> {
  return {
    'GET /api/search': async ({ principal, query: { q, limit = OF_EACH_KIND } }) => {
      const found = await Promise.all(
        SEARCH_KINDS.map(async (kind) => {
          // Each kind has the scope of its own list: a role may read traders of one provider and pools of
          // two.
          const scope = presentScope(principal.flags, searchEntry(kind), null);
          if (!scope) return [];
          const rows = await db.readAny(scope, (tx) => sources[kind](tx, q, limit));
          return rows.map((row) => ({ kind, ...row }));
        }),
      );
      const all = found.flat();
      return {
        success: true,
        data: [...all.filter(({ is_exact }) => is_exact), ...all.filter(({ is_exact }) => !is_exact)],
      };
    },
  };
}
