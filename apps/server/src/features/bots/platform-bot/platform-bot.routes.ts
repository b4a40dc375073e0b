import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { readPlatformBot } from './platform-bot.views.ts';

/** The platform's own Telegram bot, whose token only the environment of workers has. */
export const createPlatformBotRoutes = ({
  db,
}: {
  db: Database;
}): Pick<Handlers, 'GET /api/platform-bot'> => ({
  'GET /api/platform-bot': async ({ scope }) => ({
    success: true,
    data: await db.read(scope, readPlatformBot),
  }),
});
