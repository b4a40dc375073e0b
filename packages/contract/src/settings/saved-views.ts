import { LISTS } from '@copydesk/domain/settings';
import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { byId, id, line, timestamp } from '../fields.ts';
import { listLayout } from '../people/person-settings.ts';

const screen = z.enum(LISTS);
/** The query string of a screen's address, without the question mark. */
const query = z
  .string()
  .max(2_000)
  .regex(/^[\x20-\x7e]*$/);

const savedView = z
  .object({
    id,
    screen,
    name: z.string(),
    query,
    layout: listLayout.nullable().describe('how the columns stand; null: as the reader has them'),
    is_shared: z.boolean().describe('with whoever sees all that its author sees'),
    is_own: z.boolean(),
    shared_by: z.string().nullable().describe('the author of a shared view'),
    is_default: z.boolean().describe('the list opens with it, for the caller'),
    created_at: timestamp,
  })
  .meta({ id: 'SavedView' });

/** The views with which lists open. */
export const defaultViews = z.partialRecord(
  screen,
  z.object({ id, query, layout: listLayout.nullable() }).meta({ id: 'DefaultView' }),
);

export const savedViewCalls = entries({
  'GET /api/saved-views': {
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    summary: 'Saved views for a screen: those of the caller, then those shared with the caller, by name',
    query: z.strictObject({ screen }),
    answer: ok(z.array(savedView)),
    errors: [],
  },
  'POST /api/saved-views': {
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    summary: "Saves a view under a name, replacing the caller's earlier one of that name",
    body: z.strictObject({
      screen,
      name: line,
      query,
      layout: listLayout.nullable().default(null),
      is_shared: z.boolean().default(false),
    }),
    answer: ok(savedView),
    status: 201,
    errors: ['too_many_views'],
    perMinute: 60,
  },
  'PUT /api/saved-views/default': {
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    summary: 'Opens a list with a view from now on, or as the product has it',
    body: z.strictObject({ screen, view_id: id.nullable() }),
    answer: ok(z.object({ screen, view_id: id.nullable() })),
    errors: ['not_found'],
    perMinute: 60,
  },
  'DELETE /api/saved-views/{id}': {
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    summary: 'Deletes a saved view of the caller',
    params: byId,
    answer: z.object({ success: z.literal(true) }),
    errors: ['not_found'],
  },
});
