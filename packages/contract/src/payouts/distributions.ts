import { APPROVER_REFUSALS } from '@copydesk/domain/access';
import {
  DISTRIBUTION_PROGRESS,
  MOST_PAID_COUNTED,
  OWNER_KINDS,
  PAYOUT_STEPS,
  RECIPIENT_NEWS,
} from '@copydesk/domain/payouts';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import {
  byId,
  chainKnowledge,
  decimalString,
  hexAddress,
  id,
  line,
  ownerWord,
  paging,
  timestamp,
} from '../fields.ts';
import { recipientType } from './payouts.ts';

/** Maximum number of selected recipients: more do not fit into a request, and no selection means all. */
const MAX_RECIPIENTS = 2_000;

/** The amount that one recipient is owed for one role. An address with two roles appears twice. */
export const recipientShare = {
  recipientAddress: z.string(),
  recipientType,
  /** USDT */
  amount: decimalString,
  /** Number of shares in the sum. */
  payableCount: z.int(),
};

/** Why the caller cannot approve it, and what to do instead; null: the caller can, or it needs no approval. */
export const approvalRefusal = z
  .object({ code: z.enum([...APPROVER_REFUSALS, 'approved_already']), message: z.string() })
  .nullable();

const distribution = {
  id,
  /** The payout run that it belongs to, with which it is decided; null: it was ordered alone. */
  run_id: id.nullable(),
  community: z.object({ id, name: z.string() }),
  state: z.enum(['awaiting_approval', 'approved', 'declined']),
  /** USDT */
  total_amount: decimalString,
  requested_by: z.string(),
  /** Whether the caller requested it, so another super admin must approve it. */
  is_own: z.boolean(),
  /** How many super admins besides its author approve it where it takes any, and who has before the last of them. */
  approvals: z.object({ needed: z.int(), given_by: z.array(z.string()) }),
  approval_refusal: approvalRefusal,
  decided_by: z.string().nullable(),
  created_at: timestamp,
  decided_at: timestamp.nullable(),
  payout_count: z.int(),
  /** Its progress; null while it awaits approval, and when it was declined. */
  progress: z.enum(DISTRIBUTION_PROGRESS).nullable(),
  /** Its payouts by outcome. */
  payouts: z.object({
    distributed: z.int(),
    failed: z.int(),
    under_way: z.int(),
    /** Failed, and ordered again as part of another distribution. */
    ordered_again: z.int(),
  }),
  /** USDT that was ordered and returned to pending because a deposit address could not be emptied; '0': none. */
  returned_amount: decimalString,
  /** The traders whose deposit addresses could not be emptied, largest amount first; 20 at most. */
  returned: z.array(
    z.object({
      trader: z.object({ id, reference_number: z.string().nullable() }),
      /** USDT */
      amount: decimalString,
    }),
  ),
  /** Why it makes no progress; null unless it is late or needs manual action. */
  standstill: z
    .object({
      /** A reason as in `waits_for` of a payout. */
      reason: z.string(),
      detail: z.string().nullable(),
      /** The affected wallet. */
      address: z.string(),
      step: z.enum(PAYOUT_STEPS),
      since: timestamp,
      /** Median of the step in recent distributions; null: not measured yet. */
      usual_seconds: z.number().nullable(),
    })
    .nullable(),
};
export const listedDistribution = z.object(distribution).meta({ id: 'Distribution' });

/** The approval limit, and the amounts that count towards it, USDT. */
const approvalLimit = z.object({
  /** Above this total of 24 hours, orders wait for another super admin. */
  above: decimalString,
  /**
   * Earlier orders within 24 hours: for the community by anyone, and by the caller for any community. Orders of
   * accounts that the caller made count as the caller's own until an independent super admin confirms those accounts.
   */
  ordered_for_community: decimalString,
  ordered_by_caller: decimalString,
});

/** What was paid to an address before, over all communities, and what is new about paying it in this order. */
export const paidRecipient = z
  .object({
    recipientAddress: z.string(),
    /** Whom the order pays there, the largest amount first; 3 at most. */
    owners: z.array(
      z
        .string()
        .describe('name of the provider or community, reference of the trader, or role of the platform'),
    ),
    owner_count: z.int(),
    paid_count: z
      .int()
      .max(MOST_PAID_COUNTED)
      .describe(`payouts that have arrived; ${MOST_PAID_COUNTED} means as many or more`),
    last_paid_at: timestamp.nullable(),
    /** Median of what its last 12 orders paid it, all roles together, USDT; null: fewer than 3. */
    usual_amount: decimalString.nullable(),
    /** What the order pays it, USDT; of a payout run, the largest of its distributions. */
    most_amount: decimalString,
    /** The last change of an owner's address; null: never. */
    address_changed_at: timestamp.nullable(),
    /** `address_changed`: within 30 days; `above_usual`: `most_amount` is more than twice the usual amount. */
    news: z.array(z.enum(RECIPIENT_NEWS)),
  })
  .meta({ id: 'PaidRecipient' });

/** The effect of a distribution, real or planned. */
const plan = z.object({
  /** Null for a dry run, which writes nothing. */
  distribution: listedDistribution.nullable(),
  total_amount: decimalString,
  payouts: z.array(z.object({ ...recipientShare, id: id.nullable() })),
  /** What was paid to each address before; null for a real order, whose author has seen it. */
  recipients: z.array(paidRecipient).nullable(),
  /** Consolidations from deposit addresses into the community's wallet, which come first. */
  consolidations: z.object({ count: z.int(), amount: decimalString }),
  /** The community's wallet that pays recipients. */
  from_address: z.string(),
  transaction_count: z.int(),
  /** BNB, from recent transaction costs; null before the first one. */
  expected_fee: decimalString.nullable(),
  /** The amount still pending for the community's recipients afterwards, USDT. */
  remaining_amount: decimalString,
  /** Another super admin must approve it. */
  needs_approval: z.boolean(),
  /** Payouts above the largest one: ordered with `allow_once` only, and with two further super admins; null: none. */
  above_maximum: z.object({ maximum: decimalString, payout_count: z.int() }).nullable(),
  /** Why. */
  approval_reasons: z.object({
    is_above_limit: z.boolean(),
    /**
     * Who set an address that no other person has released: the caller, or an account that the caller made;
     * null: no such address is paid.
     */
    own_address_set_by: z.string().nullable(),
  }),
  /** null: no limit is configured. */
  approval_limit: approvalLimit.nullable(),
});

const distributing = {
  permission: 'super',
  recentAuth: true,
  params: byId,
  idempotent: true,
  answer: z.object({ success: z.literal(true), message: z.string(), data: plan }),
} as const;
const DISTRIBUTION_ERRORS = [
  'not_found',
  'nothing_pending',
  'recipients_changed',
  'wallet_not_ready',
  'deposits_missing',
  'above_maximum',
] as const;

const allowOnce = z
  .boolean()
  .optional()
  .describe('orders payouts above the largest one too: two further super admins must approve them');

const sharesSum = {
  /** USDT */
  amount: decimalString,
  /** Number of shares in the sum. */
  count: z.int(),
};
const HOLDS = ['address_changed', 'referrer_set', 'deposit_frozen', 'not_checked'] as const;

const dueOfCommunity = z
  .object({
    community: z.object({ id, name: z.string(), is_archived: z.boolean() }),
    /** All of it; the next three add up to it. */
    ...sharesSum,
    payable: z.object(sharesSum),
    /** Why each of it cannot be paid now is in `GET /api/super-admin/communities/{id}/pending-distributions`. */
    held: z.object({ ...sharesSum, reasons: z.array(z.enum(HOLDS)) }),
    /** Its recipients have no address. */
    unaddressed: z.object(sharesSum),
    oldest_at: timestamp,
    /** Ordered, and waiting for another super admin; not in `amount`. Null: nothing. */
    awaiting: z.object(sharesSum).describe('count: distributions').nullable(),
    /** The last distribution that was not declined; null: none on record. */
    last_distribution: z.object({ id, amount: decimalString, created_at: timestamp }).nullable(),
  })
  .meta({ id: 'DueOfCommunity' });

/** A payout address after a change: it is paid to once another super admin released it and its waiting time has passed. */
export const changedAddress = z.object({
  /** null: it was cleared. */
  address: z.string().nullable(),
  changed_at: timestamp,
  /** When its waiting time ends, at the earliest; null: payable now. */
  payable_from: timestamp.nullable(),
  /** Whether another super admin has to release it. */
  awaits_release: z.boolean(),
  /** Who released it. */
  released_by: z.string().nullable(),
  /** The id with which another super admin releases it; null: it is released. */
  change_id: id.nullable(),
  /** Whether the caller may release it: its author may not. */
  can_release: z.boolean(),
  /** What the chain knows of it; null: not read yet. */
  chain: chainKnowledge.nullable(),
});

/** Calls to pay out the amounts that communities owe. */
export const distributionCalls = entries({
  'GET /api/super-admin/communities/{id}/pending-distributions': {
    summary: 'Pending shares of a community: owed to its recipients and not in a payout yet',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: z.object({
      success: z.literal(true),
      message: z.string(),
      /** USDT, of all recipients. */
      totalAmount: decimalString,
      recipients: z.array(z.object(recipientShare)),
      /** Shares of recipients with an address that cannot be paid now, with the reason; not in `totalAmount`. */
      held: z.array(
        z.object({
          ...recipientShare,
          /** `referrer_set`: who referred the trader waits for a release, like an address. */
          reason: z.enum(HOLDS),
          /** When the waiting time of a new address ends; null for any other hold. */
          payableFrom: timestamp.nullable(),
          /** Whether another super admin has to release the address, whatever the time. */
          awaitsRelease: z.boolean(),
          /** The id with which another super admin releases the address. */
          changeId: id.nullable(),
          /** Whether the caller may release it: its author may not. */
          canRelease: z.boolean(),
          /** Of a trader's address; null: its owner said nothing. */
          ownerWord: ownerWord.nullable(),
        }),
      ),
      /** Shares that cannot be paid out until their recipient has an address. */
      unaddressed: z.array(z.object({ recipientType, amount: decimalString, payableCount: z.int() })),
      /** Distributions that another super admin must approve or decline; newest first. */
      awaiting: z.array(listedDistribution),
      /** Total in USDT of 24 hours above which another super admin must approve; null: never. */
      approvalAbove: decimalString.nullable(),
    }),
    errors: ['not_found'],
  },
  'GET /api/super-admin/pending-distributions': {
    summary: 'What each community owes its recipients and has in no payout yet, largest first',
    permission: 'super',
    recentAuth: false,
    answer: z.object({
      success: z.literal(true),
      data: z.array(dueOfCommunity),
      meta: z.object({ ...sharesSum, communities: z.int(), totals_at: timestamp }),
    }),
    errors: [],
  },
  'POST /api/super-admin/communities/{id}/distribute': {
    ...distributing,
    summary:
      'Pays out the pending shares of a community, to all or to selected addresses; a dry run only returns the plan',
    body: z.strictObject({
      selectedRecipients: z
        .array(hexAddress)
        .min(1, 'Please select at least one recipient')
        .max(MAX_RECIPIENTS)
        .optional()
        .describe('addresses, each with all its roles. Omitted: all'),
      dry_run: z.boolean().optional(),
      expected_amount: decimalString
        .optional()
        .describe('the total that the caller saw, USDT: refused when it has changed'),
      allow_once: allowOnce,
    }),
    errors: DISTRIBUTION_ERRORS,
  },
  'GET /api/super-admin/communities/{id}/payout-addresses': {
    summary: 'Changed payout addresses of a community, and when they become payable',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(
      z.array(changedAddress.extend({ recipient_type: z.enum(['community', 'community_referrer']) })),
    ),
    errors: ['not_found'],
  },
  'GET /api/super-admin/providers/{id}/payout-address': {
    summary: 'The changed payout address of a provider, and when it becomes payable; null: it never changed',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(changedAddress.nullable()),
    errors: ['not_found'],
  },
  'GET /api/super-admin/payout-addresses': {
    summary: 'Payout addresses that wait for a release, newest first; with `change_id`, that one',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject({ ...paging, change_id: id.optional() }),
    answer: page(
      changedAddress.extend({
        change_id: id,
        owner_kind: z.enum([...OWNER_KINDS, 'trader_referrer']),
        /** The name of its owner; of a `trader_referrer`, the trader who was referred. */
        owner: z.string(),
        /** Of a `trader_referrer`, the name of the referrer; `address` is the address of that trader. */
        referrer: z.string().nullable(),
        previous_address: z.string().nullable(),
        changed_by: z.string(),
        /** null: its owner said nothing, or cannot. */
        owner_word: ownerWord.nullable(),
        /** Why the caller cannot release it; null: it can. */
        refusal: z.string().nullable(),
      }),
      { total: z.int() },
    ),
    errors: [],
  },
  'POST /api/super-admin/payout-addresses/release': {
    summary: 'Releases several payout addresses at once: all of them, or none',
    permission: 'super',
    recentAuth: true,
    body: z.strictObject({ change_ids: z.array(id).min(1).max(200) }),
    answer: ok(z.object({ released: z.int() })),
    errors: ['not_found', 'own_release', 'address_is_token', ...APPROVER_REFUSALS],
    idempotent: true,
  },
  'POST /api/super-admin/payout-addresses/{id}/release': {
    summary:
      'Puts a changed payout address into the address book: it is paid to once its waiting time has passed. Refused to the person who changed it',
    permission: 'super',
    recentAuth: true,
    params: byId,
    answer: ok(z.object({ id, address: z.string().nullable() })),
    errors: ['not_found', 'own_release', 'address_is_token', ...APPROVER_REFUSALS],
    idempotent: true,
  },
  'GET /api/super-admin/communities/{id}/distributions': {
    summary: 'Distributions of a community, newest first',
    permission: 'super',
    recentAuth: false,
    params: byId,
    query: z.strictObject(paging),
    answer: page(listedDistribution, { total: z.int() }),
    errors: ['not_found'],
  },
  'GET /api/super-admin/distributions/awaiting': {
    summary:
      'Distributions of all communities that await approval, newest first, without those of payout runs; of one community, all',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject({ ...paging, community_id: id.optional() }),
    answer: page(listedDistribution, { total: z.int() }),
    errors: [],
  },
  'GET /api/super-admin/distributions/{id}/recipients': {
    summary: 'What was paid before to each address of a distribution that awaits approval, and what is new',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(z.array(paidRecipient)),
    errors: ['not_found', 'distribution_decided'],
  },
  'POST /api/super-admin/distributions/{id}/approve': {
    summary: 'Approves and pays out a distribution that another person requested',
    permission: 'super',
    recentAuth: true,
    params: byId,
    answer: ok(listedDistribution),
    errors: [
      'not_found',
      ...APPROVER_REFUSALS,
      'requester_inactive',
      'recipients_changed',
      'distribution_decided',
      'approved_already',
      'ordered_together',
      'wallet_not_ready',
      'deposits_missing',
    ],
    idempotent: true,
  },
  'POST /api/super-admin/distributions/{id}/decline': {
    summary:
      'Declines a distribution that awaits approval; its shares become pending again. It can be ordered again, so this needs no recent authentication',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(listedDistribution),
    errors: ['not_found', 'distribution_decided', 'ordered_together'],
    idempotent: true,
  },
  'GET /api/communities/{id}/available-for-withdrawal': {
    summary: "The community's own pending share, which can be paid out to its external wallet",
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(
      z.object({
        amount: decimalString,
        payable_count: z.int(),
        /** null: no external address is set. */
        address: z.string().nullable(),
      }),
    ),
    errors: ['not_found'],
  },
  'POST /api/communities/{id}/withdraw': {
    ...distributing,
    summary: "Pays out the community's own share to its external wallet",
    body: z.strictObject({
      dry_run: z.boolean().optional(),
      expected_amount: decimalString.optional(),
      allow_once: allowOnce,
    }),
    errors: DISTRIBUTION_ERRORS,
  },
  'POST /api/sweep-operations/{id}/cancel': {
    summary: 'Cancels a payout that is not on chain yet, by spending its nonce on an empty transaction',
    permission: 'super',
    recentAuth: true,
    params: byId,
    answer: ok(z.object({ id, status: z.string() })),
    errors: ['not_found', 'payout_not_safe'],
    idempotent: true,
  },
  'POST /api/sweep-operations/{id}/resend': {
    ...distributing,
    summary: 'Orders a failed payout again, to the present address of its recipient, as a new distribution',
    body: z.strictObject({
      reason: line.describe('why it is certain that it was not paid; stored in the audit'),
    }),
    errors: [...DISTRIBUTION_ERRORS, 'payout_not_safe', 'address_held'],
  },
});
