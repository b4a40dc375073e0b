import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import * as store from './saved-views.store.ts';

type SavedViewCalls = `${string} /api/saved-views${string}`;

export function createSavedViewRoutes({
  db,
}: {
  db: Database;
}): Pick<Handlers, Extract<keyof Handlers, SavedViewCalls>> {
  return {
    'GET /api/saved-views': async ({ query, scope, actor }) => ({
      success: true,
      data: await db.read(scope, (tx) => store.listViews(tx, actor.id, query.screen), actor),
    }),
    'POST /api/saved-views': async ({ body, scope, actor }) => {
      const data = await db.write(scope, actor, (tx) =>
        store.saveView(tx, actor.id, body, { author: actor.name, scope }),
      );
      if (!data) throw new Refusal('too_many_views');
      return { success: true, data };
    },
    'PUT /api/saved-views/default': async ({ body, scope, actor }) => {
      const { screen, view_id } = body;
      const isFound = await db.write(scope, actor, async (tx) => {
        if (view_id !== null) return store.chooseDefault(tx, actor.id, { screen, view_id });
        await store.dropDefault(tx, actor.id, screen);
        return true;
      });
      if (!isFound) throw new Refusal('not_found');
      return { success: true, data: body };
    },
    'DELETE /api/saved-views/{id}': async ({ params, scope, actor }) => {
      const isDeleted = await db.write(scope, actor, (tx) => store.deleteView(tx, actor.id, params.id));
      if (!isDeleted) throw new Refusal('not_found');
      return { success: true };
    },
  };
}
