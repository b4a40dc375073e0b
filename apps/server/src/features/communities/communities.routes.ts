import type { Scope } from '@copydesk/domain';
import type { TotalsCache } from '../../platform/cache/totals-cache.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import * as views from './communities.views.ts';
import { byFigures, figuresOf, type TakenSums } from './community-order.ts';
import { sumCommunities } from './community-sums.views.ts';
import type { Token } from './external-balances/external-balances.store.ts';
import {
  archiveCommunity,
  deleteCommunity,
  restoreCommunity,
} from './settings/community-lifecycle.service.ts';
import { changeSettings } from './settings/community-settings.service.ts';
import { listSettingChanges } from './settings/settings-history.views.ts';

type CommunityCall =
  | `GET /api/${'' | 'super-admin/'}communities`
  | `${'GET' | 'PATCH'} /api/communities/{id}`
  | `PATCH /api/super-admin/communities/{id}${'' | '/archive' | '/restore'}`
  | 'DELETE /api/super-admin/communities/{id}'
  | 'GET /api/super-admin/communities/{id}/split-history';
type CommunityRoutes = Pick<Handlers, CommunityCall>;

const DEFAULT_PAGE = 25;

/** Communities, their figures and their settings. */
export function createCommunityRoutes({
  db,
  totals,
  token,
}: {
  db: Database;
  totals: TotalsCache;
  token: Token;
}): CommunityRoutes {
  const taken = async (scope: Scope): Promise<TakenSums> => {
    const { value, takenAt } = await totals.get(`communities ${JSON.stringify(scope)}`, () =>
      db.read(scope, sumCommunities),
    );
    return { sums: value, takenAt: takenAt.toISOString() };
  };
  /** The sums are read before the transaction: waiting for a second connection inside it could deadlock the pool. */
  const withSettings = async (tx: Tx, id: string, { sums }: TakenSums) => {
    const community = await views.findSettings(tx, token, id);
    if (!community) throw new ApiError('not_found');
    return { success: true as const, data: { ...community, ...figuresOf(sums, id) } };
  };

  return {
    'GET /api/communities': async ({ scope, query }) => {
      const listed = db.read(scope, views.listCommunities);
      if (!query.include_aum) return { success: true, data: await listed, meta: { totals_at: null } };
      const [communities, { sums, takenAt }] = await Promise.all([listed, taken(scope)]);
      return { success: true, data: byFigures(communities, sums), meta: { totals_at: takenAt } };
    },

    'GET /api/super-admin/communities': async ({ scope, query }) => {
      const isArchivedIncluded = query.include_archived ?? false;
      const [communities, { sums, takenAt }] = await Promise.all([
        db.read(scope, (tx) => views.listSettings(tx, token, { isArchivedIncluded })),
        taken(scope),
      ]);
      return { success: true, data: byFigures(communities, sums), meta: { totals_at: takenAt } };
    },

    'GET /api/communities/{id}': async ({ scope, params: { id }, query }) => {
      const [found, { sums, takenAt }] = await Promise.all([
        db.read(scope, async (tx) => {
          const community = await views.findCommunity(tx, id);
          if (!community || !query.include_config || scope.kind !== 'all') return community;
          return {
            ...(await views.findSettings(tx, token, id)),
            ...(await views.findSplitTerms(tx, id)),
            ...community,
          };
        }),
        taken(scope),
      ]);
      if (!found) throw new ApiError('not_found');
      return { success: true, data: { ...found, ...figuresOf(sums, id), totals_at: takenAt } };
    },

    'PATCH /api/communities/{id}': async ({ scope, params: { id }, body, once }) => {
      const figures = await taken(scope);
      return once(async (tx) => {
        await changeSettings(tx, id, body);
        return withSettings(tx, id, figures);
      });
    },

    'PATCH /api/super-admin/communities/{id}': async ({ scope, params: { id }, body, once }) => {
      const figures = await taken(scope);
      return once(async (tx) => {
        await changeSettings(tx, id, body);
        return withSettings(tx, id, figures);
      });
    },

    'PATCH /api/super-admin/communities/{id}/archive': async ({ scope, actor, params: { id } }) => {
      const figures = await taken(scope);
      return db.write(scope, actor, async (tx) => {
        await archiveCommunity(tx, id);
        return withSettings(tx, id, figures);
      });
    },

    'PATCH /api/super-admin/communities/{id}/restore': async ({ scope, actor, params: { id } }) => {
      const figures = await taken(scope);
      return db.write(scope, actor, async (tx) => {
        await restoreCommunity(tx, id);
        return withSettings(tx, id, figures);
      });
    },

    'DELETE /api/super-admin/communities/{id}': async ({ scope, actor, params: { id } }) => {
      await db.write(scope, actor, (tx) => deleteCommunity(tx, id));
      return { success: true, data: { id } };
    },

    'GET /api/super-admin/communities/{id}/split-history': async ({ scope, params: { id }, query }) => {
      const page = { limit: query.limit ?? DEFAULT_PAGE, offset: query.offset ?? 0 };
      const history = await db.read(scope, async (tx) => {
        if (!(await views.findCommunity(tx, id))) throw new ApiError('not_found');
        return listSettingChanges(tx, id, page);
      });
      return { success: true, ...history };
    },
  };
}
