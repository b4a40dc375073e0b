import type { Handlers } from '../../../platform/http/handlers.ts';
import { deletePlatformToken, type PlatformBotDeps, replacePlatformToken } from './platform-bot.service.ts';
import { readPlatformBot } from './platform-bot.views.ts';

/** The platform's own Telegram bot. */
export function createPlatformBotRoutes(
  deps: PlatformBotDeps,
): Pick<Handlers, `${'GET' | 'PUT' | 'DELETE'} /api/platform-bot`> {
  const { db, isLocked: is_locked } = deps;
  return {
    'GET /api/platform-bot': async ({ scope }) => ({
      success: true,
      data: { is_locked, ...(await db.read(scope, readPlatformBot)) },
    }),
    'PUT /api/platform-bot': async ({ scope, actor, body: { token } }) => ({
      success: true,
      data: { is_locked, ...(await replacePlatformToken(deps, { scope, actor }, token)) },
    }),
    'DELETE /api/platform-bot': async ({ scope, actor }) => ({
      success: true,
      data: { is_locked, ...(await deletePlatformToken(deps, { scope, actor })) },
    }),
  };
}
