import type { IdentityDeps } from './identity-deps.ts';
import { createOwnSettingRoutes } from './own-settings/own-settings.routes.ts';
import { createHostedSessionRoutes, createOwnSessionRoutes } from './profile/own-sessions.routes.ts';
import { createHostedSecondFactorRoutes, createSecondFactorRoutes } from './profile/second-factor.routes.ts';
import { createServiceTokenRoutes } from './service-tokens/service-tokens.routes.ts';
import { createHostedSignInRoutes, createSignInRoutes } from './sign-in/sign-in.routes.ts';
import { createUserRoutes } from './users/users.routes.ts';
import { createViewRoutes } from './view-as/view-as.routes.ts';
import { createWaitlistRoutes } from './waitlist/waitlist.routes.ts';

export type { IdentityDeps };

/** Routes for users, sign-in and rights. */
export function createIdentityRoutes(deps: IdentityDeps) {
  const { identity } = deps;
  const signIn =
    identity.kind === 'embedded'
      ? {
          ...createSignInRoutes({ ...deps, identity }),
          ...createSecondFactorRoutes({ ...deps, identity }),
          ...createOwnSessionRoutes(deps),
        }
      : {
          ...createHostedSignInRoutes(),
          ...createHostedSecondFactorRoutes(),
          ...createHostedSessionRoutes(),
        };
  return {
    ...signIn,
    ...createUserRoutes(deps),
    ...createOwnSettingRoutes(deps),
    ...createServiceTokenRoutes(deps),
    ...createViewRoutes(deps),
    ...createWaitlistRoutes(deps),
  };
}
