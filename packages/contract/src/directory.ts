import { EXCHANGES } from '@copydesk/domain';
import { z } from 'zod';
import { entries, ok } from './entry.ts';
import { flag, id } from './fields.ts';

export const directoryCalls = entries({
  'GET /api/providers': {
    summary: 'The providers in scope, by display name',
    permission: 'staff',
    recentAuth: false,
    serviceScope: 'directory:read',
    query: z.strictObject({ active: flag.optional() }),
    answer: ok(
      z.array(
        z.object({
          id,
          name: z.string(),
          display_name: z.string(),
          payment_split_percentage: z.number(),
          supported_exchanges: z.array(z.enum(EXCHANGES)),
          is_active: z.boolean(),
          invoicing_enabled: z.boolean(),
        }),
      ),
    ),
    errors: [],
  },
});
