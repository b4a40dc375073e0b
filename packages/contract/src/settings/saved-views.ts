import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { byId, id, line, timestamp } from '../fields.ts';

const screen = z.enum(['invoices']);
/** The query string of a screen's address, without the question mark. */
const query = z
  .string()
  .max(2_000)
  .regex(/^[\x20-\x7e]*$/);

const savedView = z
  .object({ id, screen, name: z.string(), query: z.string(), created_at: timestamp })
  .meta({ id: 'SavedView' });

export const savedViewCalls = entries({
  'GET /api/saved-views': {
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    summary: 'Saved views of the caller for a screen, by name',
    query: z.strictObject({ screen }),
    answer: ok(z.array(savedView)),
    errors: [],
  },
  'POST /api/saved-views': {
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    summary: 'Saves a view under a name, replacing an earlier one of that name',
    body: z.strictObject({ screen, name: line, query }),
    answer: ok(savedView),
    status: 201,
    errors: [],
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
