import type { IdentityDeps } from './identity-deps.ts';
import { createServiceTokenRoutes } from './service-tokens/service-tokens.routes.ts';
import { createSignInRoutes } from './sign-in/sign-in.routes.ts';
import { createUserRoutes } from './users/users.routes.ts';

export type { IdentityDeps };

/** Routes for users, sign-in and rights. */
export function createIdentityRoutes(deps: IdentityDeps) {
  return { ...createSignInRoutes(deps), ...createUserRoutes(deps), ...createServiceTokenRoutes(deps) };
}
