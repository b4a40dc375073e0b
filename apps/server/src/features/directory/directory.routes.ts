import type { Database } from '../../platform/db/database.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { listCommunities, listProviders } from './directory.views.ts';

type DirectoryRoutes = Pick<Handlers, 'GET /api/communities' | 'GET /api/providers'>;

export function createDirectoryRoutes({ db }: { db: Database }): DirectoryRoutes {
  return {
    'GET /api/communities': async ({ scope }) => ({
      success: true,
      data: await db.read(scope, listCommunities),
    }),
    'GET /api/providers': async ({ scope, query }) => ({
      success: true,
      data: await db.read(scope, (tx) => listProviders(tx, query.active)),
    }),
  };
}
