import type { Scope } from '@copydesk/domain/access';
import { checkCommunity } from '@copydesk/domain/setup';
import type { LiveSettings } from '../../core/settings/live-settings.ts';
import { listChanges } from '../../platform/audit/changes.views.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { TotalsCache } from '../../platform/db/lists/totals-cache.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { Refusal } from '../../platform/refusal.ts';
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
import { createCommunity } from './settings/create-community.service.ts';
import { readCommunityFacts } from './setup/community-setup.views.ts';

type CommunityCall =
  | `GET /api/${'' | 'super-admin/'}communities`
  | 'POST /api/communities'
  | `${'GET' | 'PATCH'} /api/communities/{id}`
  | `PATCH /api/super-admin/communities/{id}${'' | '/archive' | '/restore'}`
  | 'DELETE /api/super-admin/communities/{id}'
  | `GET /api/super-admin/communities/{id}/${'setup-checklist' | 'split-history'}`;
type CommunityRoutes = Pick<Handlers, CommunityCall>;

const DEFAULT_PAGE = 25;
type SettingValues = Record<string, string | null>;

/** Communities, their figures and their settings. */
export function createCommunityRoutes({
  db,
  totals,
  token,
  settings,
  graceDays,
  now,
}: {
  db: Database;
  totals: TotalsCache;
  token: Token;
  settings: Pick<LiveSettings, 'current'>;
  /** Days for which an unpaid subscription stays open; null: none is sold. */
  graceDays: number | null;
  now: () => Date;
}): CommunityRoutes {
  const taken = async (scope: Scope): Promise<TakenSums> => {
    const { value, takenAt } = await totals.get(`communities ${JSON.stringify(scope)}`, () =>
      db.readAny(scope, sumCommunities),
    );
    return { sums: value, takenAt: takenAt.toISOString() };
  };
  /** The sums are read before the transaction: waiting for a second connection inside it could deadlock the pool. */
  const withSettings = async (tx: Tx, id: string, { sums }: TakenSums) => {
    const community = await views.findSettings(tx, token, id);
    if (!community) throw new Refusal('not_found');
    return { success: true as const, data: { ...community, ...figuresOf(sums, id) } };
  };

  return {
    'GET /api/communities': async ({ scope, query }) => {
      const listed = db.readAny(scope, views.listCommunities);
      if (!query.include_aum) return { success: true, data: await listed, meta: { totals_at: null } };
      const [communities, { sums, takenAt }] = await Promise.all([listed, taken(scope)]);
      return { success: true, data: byFigures(communities, sums), meta: { totals_at: takenAt } };
    },

    'GET /api/super-admin/communities': async ({ scope, query }) => {
      const isArchivedIncluded = query.include_archived ?? false;
      const [communities, { sums, takenAt }] = await Promise.all([
        db.readAny(scope, (tx) => views.listSettings(tx, token, { isArchivedIncluded })),
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
      if (!found) throw new Refusal('not_found');
      return { success: true, data: { ...found, ...figuresOf(sums, id), totals_at: takenAt } };
    },

    'POST /api/communities': async ({ scope, body, once }) => {
      const figures = await taken(scope);
      return once(async (tx) =>
        withSettings(
          tx,
          await createCommunity(tx, { commission_rate: Number(settings.current().commission_rate), ...body }),
          figures,
        ),
      );
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

    'PATCH /api/super-admin/communities/{id}/archive': async ({ scope, actor, params: { id }, query }) => {
      const figures = await taken(scope);
      return db.write(scope, actor, async (tx) => {
        await archiveCommunity(tx, id, { isWithCredit: query.with_credit ?? false, at: now() });
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

    'GET /api/super-admin/communities/{id}/setup-checklist': async ({ scope, params: { id } }) => {
      const { payout_address_hold_hours: holdHours } = settings.current();
      const facts = await db.read(scope, (tx) =>
        readCommunityFacts(tx, id, { now: now(), holdHours, graceDays }),
      );
      if (!facts) throw new Refusal('not_found');
      return { success: true, data: checkCommunity(facts) };
    },

    'GET /api/super-admin/communities/{id}/split-history': async ({ scope, params: { id }, query }) => {
      const page = { limit: query.limit ?? DEFAULT_PAGE, offset: query.offset ?? 0 };
      const history = await db.read(scope, async (tx) => {
        if (!(await views.findCommunity(tx, id))) throw new Refusal('not_found');
        return listChanges<'community.settings_changed', SettingValues>(
          tx,
          { kind: 'community', id, actions: ['community.settings_changed'] },
          page,
        );
      });
      return {
        success: true,
        meta: history.meta,
        // Every change of a setting has values before and after.
        data: history.data.map(({ action, before, ...change }) => ({ ...change, before: before ?? {} })),
      };
    },
  };
}
