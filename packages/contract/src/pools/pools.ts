import { HARVEST_STATUSES } from '@copydesk/domain/catalogue';
import { FLOW_REFUSALS, HARVEST_STEPS, UNBOOKED_GAPS } from '@copydesk/domain/pools';
import { cleanPasted } from '@copydesk/domain/text';
import {
  CREDENTIAL_MAX_LENGTH,
  CREDENTIALS_REQUIRED,
  EXCHANGE_PROBLEM_CODES,
} from '@copydesk/domain/trading';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, decimalString, flag, id, paging, seenBefore, seenVersion, timestamp } from '../fields.ts';
import { refined } from '../refined.ts';
import { waitsForOrder } from '../transfers/orders.ts';
import { harvestRun } from './harvest-run.ts';

/** How a member's fee follows from its results (`docs/words.md`: carry). */
const FEE_BASES = ['net_carry', 'gross_winners'] as const;

/** USDT with at most six decimals: more than any sensible minimum needs. */
const minimumDeposit = refined(z.string().regex(/^\d{1,12}(\.\d{1,6})?$/), (text) => Number(text) > 0);

/** Per cent with at most two decimals, above 0 up to 100. */
const maxDrawdown = refined(
  z.string().regex(/^\d{1,3}(\.\d{1,2})?$/),
  (text) => Number(text) > 0 && Number(text) <= 100,
).nullable();

const pasted = z.string().overwrite(cleanPasted).min(1, CREDENTIALS_REQUIRED).max(CREDENTIAL_MAX_LENGTH);

const cycle = z.object({
  id,
  cycle_number: z.int(),
  status: z.enum(HARVEST_STATUSES),
  step: z.enum(HARVEST_STEPS),
  /** Incremented by every transition. */
  version: z.int(),
  /** When the status changed last. */
  since: timestamp,
  /** When the step changed last. */
  step_since: timestamp,
  /** When the present step is given up and the pool fails; null where a pool may stay. */
  deadline_at: timestamp.nullable(),
  /** Why the pool failed or waits. */
  reason: z.string().nullable(),
  /** A harvest was called off, and no report has come since that trading goes on. */
  is_resume_awaited: z.boolean(),
});

/** A read of the exchange: not booked, so its time belongs beside it. */
const exchangeRead = z.object({ balance: decimalString, read_at: timestamp });

/** A pooled account. Amounts are USDT. */
export const pooledAccount = z
  .object({
    id,
    is_active: z.boolean(),
    /** Connected by one super admin, and not approved by another: it takes part in nothing. */
    awaits_approval: z.boolean(),
    created_at: timestamp,
    community: z.object({ id, name: z.string(), is_archived: z.boolean() }),
    current_harvest_cycle: cycle,
    minimum_deposit: decimalString,
    fee_basis: z.enum(FEE_BASES),
    /** Whether the trading bot pauses and resumes it; otherwise an operator confirms. */
    has_bot: z.boolean(),
    /** The drawdown in per cent at which the pool does not trade on; null: no limit. */
    max_drawdown_percentage: decimalString.nullable(),
    /** Members in scope with a virtual balance or a pending deposit. */
    trader_count: z.int(),
    /** The sum of the virtual balances of these members. */
    total_pool_balance: decimalString,
    total_virtual_balance: decimalString,
    /** Final deposits of these members that the pool has not admitted yet. */
    pending_deposits: decimalString,
    /** In the proxy wallet, by the books; null for staff of providers. */
    proxy_balance: decimalString.nullable(),
    /** At the exchange, by the books; null for staff of providers. */
    bybit_balance: decimalString.nullable(),
    bybit_read: exchangeRead.nullable(),
    /** Why the last attempt to read it failed; null: it succeeded, or the caller is staff of a provider. */
    bybit_problem: z.enum(EXCHANGE_PROBLEM_CODES).nullable(),
    /** Of its settings. */
    version: seenVersion,
  })
  .meta({ id: 'PooledAccount' });
export type PooledAccount = z.infer<typeof pooledAccount>;

export const poolMember = z.object({
  id,
  trader: z.object({ id, reference_number: z.string().nullable(), telegram_username: z.string().nullable() }),
  virtual_balance: decimalString,
  pending_deposits: decimalString,
  /** Per cent of the pool's virtual balances; null for staff of providers. */
  share_percentage: decimalString.nullable(),
  /** Losses that later profits make up for before a fee is charged. */
  carry: decimalString,
  deposit_address: z.string().nullable(),
  /** Where withdrawals of its trader go; null: none is stored, and they wait for one. */
  payout_address: z.string().nullable(),
  joined_at: timestamp,
});
export type PoolMember = z.infer<typeof poolMember>;

/** A request of a member, or a figure that a journal added to its virtual balance. */
const POOL_TRANSACTION_KINDS = ['deposit', 'withdrawal', 'profit', 'loss', 'fee'] as const;
const transaction = z.object({
  id: z.string(),
  kind: z.enum(POOL_TRANSACTION_KINDS),
  status: z.enum(['pending', 'completed', 'returned', 'refused', 'cancelled']),
  /** Of a refused withdrawal. */
  refusal: z.enum(FLOW_REFUSALS).nullable(),
  /** Of a refused withdrawal: what could have been withdrawn. */
  available: decimalString.nullable(),
  amount: decimalString.nullable(),
  cycle_number: z.int().nullable(),
  trader: z.object({ id, reference_number: z.string().nullable(), telegram_username: z.string().nullable() }),
  transaction_hash: z.string().nullable(),
  at: timestamp,
});
export type PoolTransaction = z.infer<typeof transaction>;

const cycleResult = z.object({
  cycle_number: z.int(),
  valued_at: timestamp.nullable(),
  /** The capital that traded, and what became of it; null for staff of providers. */
  opening: decimalString.nullable(),
  result: decimalString.nullable(),
  /** The result in per cent of the opening capital; null where there was none. */
  return_percentage: decimalString.nullable(),
  /** 1 before the first cycle, then multiplied by every return. Before fees. */
  unit_price: decimalString,
  /** Per cent from the highest unit price so far: zero or less. */
  drawdown: decimalString,
});
export type PoolCycleResult = z.infer<typeof cycleResult>;

const POOL_EVENT_KINDS = ['deposit', 'withdrawal'] as const;
/** Money of members in scope that a pool took in or paid out after the result of a cycle, before the next one traded. */
const poolEvent = z.object({
  cycle_number: z.int(),
  kind: z.enum(POOL_EVENT_KINDS),
  count: z.int(),
  /** USDT, of all of them. */
  amount: decimalString,
});
export type PoolEvent = z.infer<typeof poolEvent>;

const GLOBAL_STATUSES = ['no_pools', 'mixed', 'mixed_transitioning', ...HARVEST_STATUSES] as const;
const counts = z.record(z.enum(HARVEST_STATUSES), z.int());

export const poolCalls = entries({
  'GET /api/pooled-accounts': {
    summary: 'Pooled accounts in scope, active ones unless include_inactive',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    query: z.strictObject({ include_inactive: flag.optional() }),
    answer: z.object({ success: z.literal(true), pooled_accounts: z.array(pooledAccount) }),
    errors: [],
  },
  'POST /api/pooled-accounts': {
    summary:
      'Connects the exchange account of a community as a pool. The exchange checks the key first; the pool is inactive until another super admin approves it',
    permission: 'super',
    recentAuth: true,
    body: z.strictObject({
      community_id: id,
      apiKey: pasted,
      secretKey: pasted,
      minimum_deposit: minimumDeposit,
      fee_basis: z.enum(FEE_BASES).optional(),
      /** Whether the trading bot pauses and resumes it; otherwise an operator confirms. */
      has_bot: z.boolean().optional(),
    }),
    answer: ok(pooledAccount.extend(waitsForOrder)),
    status: 201,
    mayWait: true,
    errors: [
      'not_found',
      'community_archived',
      'community_has_pool',
      'pool_key_refused',
      'exchange_refused',
      'exchange_unavailable',
      'exchange_account_taken',
    ],
    perMinute: 10,
  },
  'POST /api/pooled-accounts/check-key': {
    summary:
      'Tries a key for the pool of a community at the exchange, as connecting it does, and stores no pool',
    permission: 'super',
    recentAuth: true,
    body: z.strictObject({ community_id: id, apiKey: pasted, secretKey: pasted }),
    answer: ok(z.object({ uid: z.string(), permissions: z.array(z.string()) })),
    errors: [
      'not_found',
      'community_archived',
      'community_has_pool',
      'pool_key_refused',
      'exchange_refused',
      'exchange_unavailable',
    ],
    perMinute: 10,
  },
  'GET /api/pooled-accounts/ip-whitelist/{id}': {
    summary: "The addresses that the key of a pool's exchange account is restricted to, and its permissions",
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(
      z.object({
        isRestricted: z.boolean(),
        ips: z.array(z.string()),
        permissions: z.array(z.string()),
        uid: z.string(),
        isMaster: z.boolean(),
        /** Keys without addresses expire after 90 days; null: never. */
        expires_at: timestamp.nullable(),
        read_at: timestamp,
      }),
    ),
    errors: ['not_found', 'pool_not_connected', 'exchange_refused', 'exchange_unavailable'],
  },
  'GET /api/pooled-accounts/{id}': {
    summary: 'One pooled account',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    params: byId,
    answer: ok(pooledAccount),
    errors: ['not_found'],
  },
  'PUT /api/pooled-accounts/{id}': {
    summary:
      'Changes a pooled account. An inactive one takes no part in harvests, and its exchange account may be connected elsewhere; its books have to be empty',
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject({
      minimum_deposit: minimumDeposit.optional(),
      fee_basis: z.enum(FEE_BASES).optional(),
      is_active: z.boolean().optional(),
      has_bot: z.boolean().optional(),
      max_drawdown_percentage: maxDrawdown.optional(),
      version: seenBefore,
    }),
    answer: ok(pooledAccount),
    errors: [
      'not_found',
      'changed_meanwhile',
      'pool_has_money',
      'invalid_status',
      'order_waits',
      'exchange_account_taken',
    ],
    idempotent: true,
  },
  'PUT /api/pooled-accounts/{id}/key': {
    summary: 'Replaces the key of a pool by another one of the same account. The exchange checks it first',
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject({ apiKey: pasted, secretKey: pasted }),
    answer: ok(pooledAccount),
    errors: [
      'not_found',
      'pool_key_refused',
      'pool_other_account',
      'exchange_refused',
      'exchange_unavailable',
      'exchange_account_taken',
    ],
    perMinute: 10,
  },
  'GET /api/pooled-accounts/community/{id}': {
    summary: 'The pooled account of a community; 404: it has none',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    params: byId,
    answer: ok(pooledAccount),
    errors: ['not_found'],
  },
  'GET /api/pooled-accounts/{id}/stats': {
    summary: 'Balances of a pooled account by the books, and the difference to the last read of the exchange',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(
      z.object({
        capital: decimalString,
        pending: decimalString,
        proxy: decimalString,
        transit: decimalString,
        exchange: decimalString,
        shortfall: decimalString,
        returned: decimalString,
        fees_due: decimalString,
        unexplained: decimalString,
        member_count: z.int(),
        /** Profit or loss of the cycle that is not booked yet, wherever its money is; null: there is none to show. */
        unbooked_result: decimalString.nullable(),
        /** Why there is none. */
        unbooked_gap: z.enum(UNBOOKED_GAPS).nullable(),
        bybit_read: exchangeRead.nullable(),
      }),
    ),
    errors: ['not_found'],
  },
  'GET /api/pooled-accounts/{id}/traders': {
    summary:
      'Members of a pooled account in scope, by virtual balance; showPendingOnly: with pending deposits',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    params: byId,
    query: z.strictObject({ showPendingOnly: flag.optional(), ...paging }),
    answer: page(poolMember, {
      total: z.int(),
      virtual_balance: decimalString,
      pending_deposits: decimalString,
    }),
    errors: ['not_found'],
  },
  'POST /api/pooled-accounts/{id}/traders': {
    summary:
      'Makes a trader of the community a member; a member stays one. Its deposit address follows within a minute',
    permission: 'super',
    recentAuth: false,
    params: byId,
    body: z.strictObject({ trader_id: id }),
    answer: ok(poolMember),
    errors: ['not_found', 'pool_inactive', 'trader_not_in_community'],
  },
  'GET /api/pooled-accounts/{id}/harvest/status': {
    summary: 'The current harvest cycle of a pooled account, and the earlier ones',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    params: byId,
    answer: ok(
      z.object({
        /** When it was read, by the database's clock: a deadline is counted down from it. */
        as_of: timestamp,
        current: cycle,
        /** The steps that the current cycle entered or failed in, oldest first. Empty for staff of providers. */
        entered: z.array(z.object({ at: timestamp, step: z.enum(HARVEST_STEPS) })),
        cycles: z.array(cycle.extend({ started_at: timestamp.nullable(), ended_at: timestamp.nullable() })),
      }),
    ),
    errors: ['not_found'],
  },
  'GET /api/pooled-accounts/{id}/results': {
    summary:
      'The results of a pooled account by cycle, newest first, with its unit price and the deposits and withdrawals between them',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    params: byId,
    answer: page(cycleResult, {
      /** By cycle, the oldest first. The first may be of before any result. */
      events: z.array(poolEvent),
    }),
    errors: ['not_found'],
  },
  'GET /api/pooled-accounts/{id}/transactions': {
    summary: 'Deposits, withdrawals, profits, losses and fees of members in scope, newest first',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    params: byId,
    query: z.strictObject(paging),
    answer: page(transaction, { total: z.int() }),
    errors: ['not_found'],
  },
  'GET /api/pooled-accounts/global/harvest/status': {
    summary: 'The common status of all active pooled accounts, with sums',
    permission: 'super',
    recentAuth: false,
    answer: ok(
      z.object({
        status: z.enum(GLOBAL_STATUSES),
        /** What an operator may do with all of them (super-admin spec, section 4). */
        actions: z.array(z.enum(['start', 'stop'])),
        counts,
        active_pools: z.int(),
        total_traders: z.int(),
        total_proxy_balance: decimalString,
        total_bybit_balance: decimalString,
        total_virtual_balance: decimalString,
        /** The latest start or stop of all pools together. */
        last_run: harvestRun.nullable(),
      }),
    ),
    errors: [],
  },
  'GET /api/admin/bsc-pending-deposits': {
    summary: 'Final deposits that wait for their pools to open, with the pools that they are for',
    permission: 'super',
    recentAuth: false,
    answer: ok(
      z.object({
        totalPendingUSDT: decimalString,
        poolsWithPending: z.int(),
        poolBreakdown: z.array(
          z.object({
            poolId: id,
            communityName: z.string(),
            harvestStatus: z.enum(HARVEST_STATUSES),
            pendingUSDT: decimalString,
          }),
        ),
      }),
    ),
    errors: [],
  },
});
