import type { Handlers } from '../../../platform/http/handlers.ts';
import type { IdentityDeps } from '../identity-deps.ts';
import { createServiceToken, revokeServiceToken } from './service-tokens.service.ts';
import { listServiceTokens } from './service-tokens.store.ts';

type ServiceTokenRoutes = Pick<
  Handlers,
  'GET /api/service-tokens' | 'POST /api/service-tokens' | 'DELETE /api/service-tokens/{id}'
>;

export function createServiceTokenRoutes({ db, now }: IdentityDeps): ServiceTokenRoutes {
  return {
    'GET /api/service-tokens': async ({ scope, query }) => ({
      success: true,
      data: await db.read(scope, (tx) => listServiceTokens(tx, query.include_revoked ?? false)),
    }),
    'POST /api/service-tokens': async ({ scope, actor, body, reply }) => {
      const data = await db.write(scope, actor, (tx) => createServiceToken(tx, body, now()));
      reply.header('cache-control', 'no-store');
      return { success: true, data };
    },
    'DELETE /api/service-tokens/{id}': async ({ scope, actor, params: { id } }) => ({
      success: true,
      data: await db.write(scope, actor, (tx) => revokeServiceToken(tx, id, now())),
    }),
  };
}
