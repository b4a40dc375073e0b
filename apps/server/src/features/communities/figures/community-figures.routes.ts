import type { Scope } from '@copydesk/domain/access';
import type { AnyTx, Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { findCommunity } from '../communities.views.ts';
import { listDays, listSplitChanges } from './community-days.views.ts';
import * as figures from './community-figures.views.ts';
import * as traders from './community-traders.views.ts';

type FigureCall = `GET /api/communities/{id}/${string}`;
/** Payouts and billing are features of their own, and providers have a room of theirs. */
type OtherCall =
  | `GET /api/communities/{id}/${'sweep-operations' | 'wallet-balance' | 'available-for-withdrawal' | 'subscription' | 'payment-link'}`
  | `GET /api/communities/{id}/providers${'' | '/{providerId}/can-remove'}`;
type FigureRoutes = Pick<Handlers, Exclude<Extract<keyof Handlers, FigureCall>, OtherCall>>;

const DEFAULT_PAGE = 50;

/** Routes for the figures of a community, within the caller's scope. */
export function createCommunityFigureRoutes({ db }: { db: Database }): FigureRoutes {
  /** Reads about a community in the caller's scope; throws when it is missing. */
  const about = <T>(scope: Scope, id: string, read: (tx: AnyTx) => Promise<T>) =>
    db.readAny(scope, async (tx) => {
      if (!(await findCommunity(tx, id))) throw new Refusal('not_found');
      return read(tx);
    });
  const pageOf = ({ limit = DEFAULT_PAGE, offset = 0 }: { limit?: number; offset?: number }) => ({
    limit,
    offset,
  });

  return {
    'GET /api/communities/{id}/traders': async ({ scope, params: { id }, query }) => ({
      success: true,
      ...(await about(scope, id, (tx) =>
        traders.listTraders(tx, id, { ...pageOf(query), includesAum: query.include_aum ?? false }),
      )),
    }),

    'GET /api/communities/{id}/stats': async ({ scope, params: { id } }) => ({
      success: true,
      data: await about(scope, id, (tx) => figures.readStats(tx, id)),
    }),

    'GET /api/communities/{id}/days': async ({ scope, principal, params: { id }, query }) => ({
      success: true,
      ...(await about(scope, id, async (tx) => ({
        data: await listDays(tx, id, query),
        // Services do not read the audit.
        meta: { events: principal.kind === 'user' ? await listSplitChanges(tx, id, query) : [] },
      }))),
    }),

    'GET /api/communities/{id}/signups': async ({ scope, params: { id }, query }) => ({
      success: true,
      data: await about(scope, id, (tx) => figures.listSignups(tx, id, query)),
    }),

    'GET /api/communities/{id}/vip/stats': async ({ scope, params: { id } }) => ({
      success: true,
      data: await about(scope, id, (tx) => figures.listVipLevels(tx, id)),
    }),

    'GET /api/communities/{id}/vip/traders': async ({ scope, params: { id }, query }) => ({
      success: true,
      ...(await about(scope, id, (tx) =>
        traders.listVipTraders(tx, id, { ...pageOf(query), level: query.level }),
      )),
    }),
  };
}
