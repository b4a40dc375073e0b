import type { Database } from '../../platform/db/database.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { listProviders } from './directory.views.ts';

type DirectoryRoutes = Pick<Handlers, 'GET /api/providers'>;

export function createDirectoryRoutes({ db }: { db: Database }): DirectoryRoutes {
  return {
    'GET /api/providers': async ({ scope, query }) => ({
      success: true,
      data: await db.read(scope, (tx) => listProviders(tx, query.active)),
    }),
  };
}
