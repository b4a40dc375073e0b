import {
  ATTENTION_GROUPS,
  ATTENTION_KINDS,
  ATTENTION_TABS,
  ATTENTION_TURNS,
  type AttentionKind,
} from '@copydesk/domain/attention';
import { z } from 'zod';
import { securityLogCalls } from '../audit/index.ts';
import { communityCalls } from '../communities/index.ts';
import { depositCalls } from '../deposits/index.ts';
import { type Entry, entries, ok } from '../entry.ts';
import { decimalString, id, line, queryInteger, rowVersion, timestamp } from '../fields.ts';
import { invoiceCalls, invoicingCalls, paymentCalls } from '../invoices/index.ts';
import { messageCalls } from '../messages/index.ts';
import { noteCalls } from '../notes/index.ts';
import { systemCalls } from '../operations/index.ts';
import { distributionCalls, retryCalls } from '../payouts/index.ts';
import { identityCalls, waitlistCalls } from '../people/index.ts';
import { poolArrivalCalls, poolCalls } from '../pools/index.ts';
import { platformSettingCalls } from '../settings/index.ts';
import { traderCalls } from '../traders/index.ts';
import { orderCalls, paymentStopCalls, walletCalls } from '../transfers/index.ts';

const calls = {
  ...communityCalls,
  ...depositCalls,
  ...distributionCalls,
  ...identityCalls,
  ...invoiceCalls,
  ...invoicingCalls,
  ...messageCalls,
  ...noteCalls,
  ...orderCalls,
  ...paymentCalls,
  ...paymentStopCalls,
  ...platformSettingCalls,
  ...poolArrivalCalls,
  ...poolCalls,
  ...retryCalls,
  ...securityLogCalls,
  ...systemCalls,
  ...traderCalls,
  ...waitlistCalls,
  ...walletCalls,
};

/** The call that shows each kind: a caller that may not make it sees none of that kind. */
const SHOWN_BY = {
  payments_stopped: 'GET /api/payments/stops',
  wallet_frozen: 'GET /api/super-admin/wallets',
  payouts_failed: 'POST /api/sweep-operations/retry',
  payouts_stuck: 'GET /api/super-admin/distributions/awaiting',
  gas_low: 'GET /api/super-admin/gas-wallet',
  distribution_waiting: 'GET /api/super-admin/distributions/awaiting',
  order_waiting: 'GET /api/orders',
  address_disowned: 'GET /api/super-admin/payout-addresses',
  address_waiting: 'GET /api/super-admin/payout-addresses',
  setting_waiting: 'GET /api/platform-settings/changes',
  super_admin_waiting: 'GET /api/users',
  pool_traded_on: 'GET /api/super-admin/communities',
  harvest_waiting: 'GET /api/super-admin/communities',
  arrival_open: 'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions',
  pool_near_breaker: 'GET /api/super-admin/communities',
  key_failing: 'GET /api/traders',
  key_expiring: 'GET /api/traders',
  accounts_unread: 'GET /api/traders',
  message_failed: 'GET /api/messages',
  owner_unreached: 'GET /api/super-admin/communities',
  bot_failing: 'GET /api/super-admin/communities',
  note_mention: 'GET /api/notes',
  payment_unmatched: 'GET /api/payments/unmatched',
  invoices_drafted: 'GET /api/invoices/runs/{id}',
  invoices_overdue: 'GET /api/invoices/admin/all',
  delinquent_suggested: 'GET /api/traders',
  access_waiting: 'GET /api/waitlist',
  refusals_many: 'GET /api/audit/refusals',
  chain_stopped: 'GET /api/super-admin/deposit-reading',
  check_failed: 'GET /api/super-admin/wallets',
  work_failing: 'GET /api/setup-checklist',
  setup_left: 'GET /api/setup-checklist',
  subscription_unpaid: 'GET /api/super-admin/communities',
} as const satisfies Record<AttentionKind, keyof typeof calls>;

export const attentionEntry = (kind: AttentionKind): Entry => calls[SHOWN_BY[kind]];

/** What an item is called: its kind and subject, and whose it is where each provider has its own. */
const named = {
  kind: z.enum(ATTENTION_KINDS),
  subject: z.string().min(1).max(200),
  provider_id: id.nullable(),
};

const item = z
  .object({
    ...named,
    /** Of the provider, where each provider has its own. */
    provider: z.string().nullable(),
    /** Its name for people; null: it is about everything. */
    title: z.string().nullable(),
    /** Of an account: its exchange. */
    detail: z.string().nullable(),
    trader_id: id.nullable(),
    community_id: id.nullable(),
    pool_id: id.nullable(),
    /** Why, as a code of the kind. Of a pool near its circuit breaker: the points of drawdown that are left. */
    code: z.string().nullable(),
    /** How many it is about: payouts, accounts, messages, invoices, attempts, failures, steps, days that are left. */
    count: z.int().nullable(),
    /** USDT that it holds up, or that is asked for. */
    amount: decimalString.nullable(),
    since: timestamp,
    /** For whom it waits. */
    turn: z.enum(ATTENTION_TURNS),
    /** Changes with the cause: an item that sleeps comes back, and an act on another cause is refused. */
    cause: z.string(),
    /** Of what people did about it; 0: nothing yet. */
    version: rowVersion,
    taken: z.object({ by: z.string(), is_you: z.boolean(), at: timestamp }).nullable(),
    snoozed: z.object({ by: z.string(), until: timestamp, reason: z.string() }).nullable(),
  })
  .meta({ id: 'AttentionItem' });
export type AttentionItem = z.infer<typeof item>;

const counted = z.int().min(0);

export const attentionCalls = entries({
  'GET /api/attention': {
    summary:
      'What needs a person, in scope: the most urgent first, then the oldest. Derived: an item goes when its cause goes',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    query: z.strictObject({
      tab: z
        .enum(ATTENTION_TABS)
        .optional()
        .describe('whose turn it is; you when omitted. Items that sleep are in snoozed alone'),
      group: z.enum(ATTENTION_GROUPS).optional(),
      limit: queryInteger(1, 200).optional(),
      offset: queryInteger(0, 100_000).optional(),
    }),
    answer: z.object({
      success: z.literal(true),
      data: z.array(item),
      meta: z.object({
        /** Of this tab and group. */
        total: counted,
        tabs: z.object({ you: counted, others: counted, snoozed: counted }),
        /** Of this tab, without those that have none. */
        groups: z.partialRecord(z.enum(ATTENTION_GROUPS), counted),
      }),
    }),
    errors: [],
  },
  'POST /api/attention/people': {
    summary: 'The people who see an item, to whom it may be handed over, by name',
    permission: 'staff',
    capability: 'traders:write',
    recentAuth: false,
    body: z.strictObject(named),
    answer: ok(z.array(z.object({ id: z.string(), name: z.string(), email: z.string() }))),
    errors: ['attention_gone'],
  },
  'PUT /api/attention/mark': {
    summary:
      'Takes an item, gives it back, hands it over, or lets it sleep until a moment or a change of its cause, and wakes it',
    permission: 'staff',
    capability: 'traders:write',
    recentAuth: false,
    body: z.strictObject({
      ...named,
      cause: z.string().max(500).describe('as listed'),
      version: rowVersion.describe('as listed'),
      act: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('take') }),
        z.strictObject({ kind: z.literal('give_back') }),
        z.strictObject({ kind: z.literal('hand_over'), to: z.string().min(1).max(200) }),
        z.strictObject({ kind: z.literal('snooze'), until: timestamp, reason: line }),
        z.strictObject({ kind: z.literal('wake') }),
      ]),
    }),
    answer: ok(z.object({ version: rowVersion })),
    errors: [
      'attention_gone',
      'attention_taken',
      'attention_not_theirs',
      'snooze_too_long',
      'attention_urgent',
      'person_required',
    ],
    perMinute: 60,
  },
});
