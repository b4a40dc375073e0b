import { z } from 'zod';
import { entries, ok } from './entry.ts';

export const systemCalls = entries({
  'GET /api/health': {
    summary: 'Whether the process is alive',
    permission: 'public',
    recentAuth: false,
    answer: z.object({ success: z.literal(true), status: z.literal('alive') }),
    errors: [],
  },
  'GET /api/ready': {
    summary: 'Whether the database, its migrations and the workers are in order',
    permission: 'public',
    recentAuth: false,
    answer: ok(
      z.object({
        database: z.boolean(),
        migrations: z.boolean(),
        /** How many workers are alive. */
        workers: z.int(),
        /** The audit chain against its heads noted outside of the database; unchecked without a worker. */
        audit: z.enum(['intact', 'broken', 'unchecked']),
        /** What an operator has to look at, in words. */
        problems: z.array(z.string()),
      }),
    ),
    errors: ['unavailable'],
  },
  'GET /api/config': {
    summary: 'What the console must know before anyone has signed in',
    permission: 'public',
    recentAuth: false,
    answer: ok(
      z.object({
        identity: z.literal('embedded'),
        /** Personas to sign in with by one click; only in the demo world and on loopback. */
        demo: z.boolean(),
        /** No super admin exists yet: the sign-in page offers the set-up. */
        setup_required: z.boolean(),
        /** Where people without the admin flag are sent. */
        external_url: z.string(),
        /** Of the block explorer: a transaction's page is below it at /tx/{hash}. */
        explorer_url: z.string(),
        /** Super admins alone may reveal the secrets of exchange accounts, whatever their provider says. */
        reveal_super_only: z.boolean(),
      }),
    ),
    errors: [],
  },
  'GET /api/events': {
    summary: 'Server-sent events: what changed in the scope of the caller',
    permission: 'staff',
    recentAuth: false,
    answer: { stream: 'text/event-stream' },
    errors: ['too_many_streams'],
  },
});

/** What one event of `GET /api/events` carries in its data. `reset`: too much was missed, reload everything. */
export const changeEvent = z.object({
  topic: z.enum(['trader', 'community', 'provider', 'payout', 'reset']),
  id: z.string().nullable(),
  at: z.string(),
});
export type ChangeEvent = z.infer<typeof changeEvent>;
