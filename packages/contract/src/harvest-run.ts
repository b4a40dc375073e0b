import { RUN_ACTIONS } from '@copydesk/domain/pools';
import { z } from 'zod';
import { id, timestamp } from './fields.ts';

/** A start or stop of all pools together, and how far its pools have come. */
export const harvestRun = z.object({
  id,
  action: z.enum(RUN_ACTIONS),
  goal: z.enum(['start', 'stop']),
  requested_by: z.string(),
  at: timestamp,
  state: z.enum(['running', 'done', 'done_with_failures']),
  pools: z.int(),
  counts: z.object({ moving: z.int(), awaiting: z.int(), done: z.int(), failed: z.int() }),
  failed: z.array(z.object({ pool_id: id, community: z.string(), reason: z.string().nullable() })),
});
export type HarvestRun = z.infer<typeof harvestRun>;
