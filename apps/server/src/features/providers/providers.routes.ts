import { listChanges } from '../../platform/audit/changes.views.ts';
import type { AnyTx, Database, Tx } from '../../platform/db/database.ts';
import type { TotalsCache } from '../../platform/db/lists/totals-cache.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { Refusal } from '../../platform/refusal.ts';
import { sumProvider } from './provider-figures.views.ts';
import { listProviderPeople } from './provider-people.views.ts';
import { changeProvider, createProvider, setInvoicing } from './providers.service.ts';
import * as views from './providers.views.ts';

type ProviderCall =
  | `GET /api/providers${'' | `/{id}${'' | '/communities' | '/exchanges' | '/figures' | '/history' | '/people'}`}`
  | 'POST /api/providers'
  | 'PUT /api/providers/{id}'
  | 'PATCH /api/providers/{id}/invoicing';

const DEFAULT_PAGE = 25;
const ACTIONS = ['provider.created', 'provider.changed', 'provider.invoicing_changed'] as const;

/** Providers, their figures and their settings. */
export function createProviderRoutes({
  db,
  totals,
}: {
  db: Database;
  totals: TotalsCache;
}): Pick<Handlers, ProviderCall> {
  const withSettings = async (tx: Tx, id: string) => {
    const provider = await views.findProviderSettings(tx, id);
    if (!provider) throw new Refusal('not_found');
    return { success: true as const, data: provider };
  };
  const requireProvider = async (tx: AnyTx, id: string) => {
    if (!(await views.findProvider(tx, id))) throw new Refusal('not_found');
  };

  return {
    'GET /api/providers': async ({ scope, query }) => ({
      success: true,
      data: await db.readAny(scope, (tx) => views.listProviders(tx, query.active)),
    }),

    'GET /api/providers/{id}': async ({ scope, params: { id } }) => {
      if (scope.kind === 'all') return db.read(scope, (tx) => withSettings(tx, id));
      const provider = await db.read(scope, (tx) => views.findProvider(tx, id));
      if (!provider) throw new Refusal('not_found');
      return { success: true, data: provider };
    },

    'GET /api/providers/{id}/people': async ({ scope, params: { id } }) => {
      const data = await db.read(scope, async (tx) => {
        await requireProvider(tx, id);
        return listProviderPeople(tx, id);
      });
      return { success: true, data };
    },

    'POST /api/providers': ({ body, once }) =>
      once(async (tx) => withSettings(tx, await createProvider(tx, body))),

    'PUT /api/providers/{id}': ({ params: { id }, body, once }) =>
      once(async (tx) => {
        await changeProvider(tx, id, body);
        return withSettings(tx, id);
      }),

    'PATCH /api/providers/{id}/invoicing': ({ params: { id }, body, once }) =>
      once(async (tx) => {
        await setInvoicing(tx, id, body.invoicing_enabled);
        return withSettings(tx, id);
      }),

    'GET /api/providers/{id}/communities': async ({ scope, params: { id } }) => {
      const communities = await db.read(scope, async (tx) => {
        await requireProvider(tx, id);
        return views.listLinkedCommunities(tx, id);
      });
      if (scope.kind === 'all') return { success: true, data: communities };
      return {
        success: true,
        data: communities.map(({ split_percentage, has_referrer, ...community }) => community),
      };
    },

    'GET /api/providers/{id}/exchanges': async ({ scope, params: { id } }) => {
      const data = await db.readAny(scope, (tx) => views.listProviderExchanges(tx, id));
      if (!data) throw new Refusal('not_found');
      return { success: true, data };
    },

    'GET /api/providers/{id}/figures': async ({ scope, params: { id } }) => {
      await db.readAny(scope, (tx) => requireProvider(tx, id));
      const { value, takenAt } = await totals.get(`provider ${id}`, () =>
        db.readAny(scope, (tx) => sumProvider(tx, id)),
      );
      return { success: true, data: { ...value, totals_at: takenAt.toISOString() } };
    },

    'GET /api/providers/{id}/history': async ({ scope, params: { id }, query }) => {
      const page = { limit: query.limit ?? DEFAULT_PAGE, offset: query.offset ?? 0 };
      const history = await db.read(scope, async (tx) => {
        await requireProvider(tx, id);
        return listChanges(tx, { kind: 'provider', id, actions: ACTIONS }, page);
      });
      return { success: true, ...history };
    },
  };
}
