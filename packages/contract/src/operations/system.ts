import { SETUP_STEPS } from '@copydesk/domain/setup';
import { z } from 'zod';
import { entries, ok } from '../entry.ts';

export const systemCalls = entries({
  'GET /api/health': {
    summary: 'Whether the process is alive',
    permission: 'public',
    recentAuth: false,
    answer: z.object({ success: z.literal(true), status: z.literal('alive'), version: z.string() }),
    errors: [],
  },
  'GET /api/ready': {
    summary:
      'Whether this process serves and its schema fits. Details for super admins, this machine, and the metrics token',
    permission: 'public',
    recentAuth: false,
    answer: z.object({
      success: z.literal(true),
      data: z
        .object({
          /** degraded: this process serves requests, and `problems` is not empty. */
          status: z.enum(['ready', 'degraded']),
          database: z.boolean(),
          migrations: z.boolean(),
          /** False: only a read replica answers. Changes are answered with 503 meanwhile. */
          writes: z.boolean(),
          /** Standbys that commits of the database wait for, and that are connected. */
          standbys: z.int(),
          /** The replicas that lists may come from, in the order of the setting. */
          replicas: z.array(
            z.object({
              /** Null: it cannot be reached, or is more than 15 s behind. */
              behind_seconds: z.number().nullable(),
              is_used: z.boolean(),
            }),
          ),
          /** Number of live workers. */
          workers: z.int(),
          /** The audit chain compared with its heads noted outside the database; unchecked without a worker. */
          audit: z.enum(['intact', 'broken', 'unchecked']),
          /** Problems that need an operator's review, in words. */
          problems: z.array(z.string()),
        })
        .optional()
        .describe('for strangers there is none'),
    }),
    errors: ['unavailable'],
  },
  'GET /api/setup-checklist': {
    summary: 'What a new installation needs before its first payout, step by step',
    permission: 'super',
    recentAuth: false,
    answer: ok(
      z.array(
        z.object({
          step: z.enum(SETUP_STEPS),
          /** wrong: it is set up, and does not work now. */
          state: z.enum(['done', 'missing', 'wrong']),
          text: z.string(),
        }),
      ),
    ),
    errors: [],
  },
  'GET /api/config': {
    summary: 'Settings that the console needs before sign-in',
    permission: 'public',
    recentAuth: false,
    answer: ok(
      z.object({
        /** Of the server, as in CHANGELOG.md. */
        version: z.string(),
        /** Which implementation the console loads. */
        identity: z.enum(['embedded', 'hosted']),
        /** What a browser needs to reach a hosted service; null: people sign in with accounts of ours. */
        hosted: z
          .object({
            publishable_key: z.string(),
            /** Where a proxy serves its frontend API; null: at its own address. */
            proxy_url: z.string().nullable(),
          })
          .nullable(),
        /** Personas for one-click sign-in; only in the demo world and on loopback. */
        demo: z.boolean(),
        /** No super admin exists yet: the sign-in page offers the set-up. */
        setup_required: z.boolean(),
        /** The target for people without the admin flag. */
        external_url: z.string(),
        /** The block explorer; a transaction's page is at /tx/{hash} below it. */
        explorer_url: z.string(),
        /** Only super admins may reveal the secrets of exchange accounts, whatever their provider's setting. */
        reveal_super_only: z.boolean(),
        /** Prices of a community's subscription, USD; null: the plan is not offered. */
        plans: z.object({ monthly: z.string().nullable(), yearly: z.string().nullable() }),
      }),
    ),
    errors: [],
  },
  'GET /api/events': {
    summary:
      'Server-sent events: changes within the scope of the caller; from a position (`Last-Event-ID`) on, as the `x-events-position` of an answer says it',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    answer: { stream: 'text/event-stream' },
    errors: ['too_many_streams'],
  },
});

const at = z.string();
/** How far in the log of the database this change was read: the client's next `copydesk-position`. */
const read_position = z.string().optional();

/** The data of one event of `GET /api/events`, by what changed. */
export const changeEvent = z.discriminatedUnion('topic', [
  z.object({
    topic: z.enum(['community', 'provider', 'payout', 'pool', 'export', 'bulk_act']),
    id: z.string(),
    trader_id: z.null(),
    at,
    read_position,
  }),
  /** Without an id: a message to the owner of a community. */
  z.object({ topic: z.literal('trader'), id: z.string().nullable(), trader_id: z.null(), at, read_position }),
  /** Without an id: many invoices, or payments, of this trader changed at once. */
  z.object({
    topic: z.enum(['invoice', 'payment']),
    id: z.string().nullable(),
    trader_id: z.string(),
    at,
    read_position,
  }),
  /**
   * `own_setting`: the settings, columns or views of the person who listens. `attention`: a person acted on
   * an item that the listener sees. `reset`: too many events were missed, reload everything.
   */
  z.object({
    topic: z.enum(['stop', 'own_setting', 'attention', 'reset']),
    id: z.null(),
    trader_id: z.null(),
    at,
    read_position,
  }),
]);
export type ChangeEvent = z.infer<typeof changeEvent>;
