import type { Call, CallInput } from '@copydesk/contract';
import type { Exchange } from '@copydesk/domain';

/** The same kind of thing three ways: in the scope of one provider's staff, outside of it, and nowhere. */
export const TARGETS = ['own', 'foreign', 'missing'] as const;
export type Target = (typeof TARGETS)[number];

export const CALLERS = [
  'anonymous',
  'super',
  'staff',
  'staff-multi',
  'no-access',
  'not-admin',
  'service',
] as const;
export type Caller = (typeof CALLERS)[number];

/** What the cases aim at, for each target. */
export interface Aim {
  traderId: string;
  communityId: string;
  providerId: string;
  referralCode: string;
  userId: string;
  serviceTokenId: string;
  invoiceId: string;
  messageId: string;
  sweepOperationId: string;
  savedViewId: string;
  runId: string;
  distributionId: string;
  walletId: string;
  /** An exchange account of the trader, and an exchange that the provider supports. */
  account: { exchange: Exchange; accUid: string; supported: Exchange };
}

export interface Case<K extends Call> {
  input: (aim: Aim) => CallInput<K>;
  /** Whether the target is named by the call; if not, there is nothing foreign to ask for. */
  isAimed?: boolean;
  /** Statuses that mean "allowed", where the harmless call of this case is refused for what it says. */
  allowed?: readonly number[];
  /** What a caller gets that the general rule does not foresee. */
  expects?: (caller: Caller, target: Target) => number | undefined;
}

const NOTHING = { input: () => ({}) };

/** A harmless call of every entry. A new entry without a case does not compile. */
export const CASES: { [K in Call]: Case<K> } = {
  'GET /api/health': NOTHING,
  'GET /api/ready': NOTHING,
  'GET /api/config': NOTHING,
  'GET /api/events': NOTHING,
  'GET /api/me': NOTHING,
  'POST /api/demo/sign-in': { input: () => ({ body: { persona: 'staff' } }) },
  'POST /api/setup': {
    input: () => ({
      body: { token: 'wrong', email: 'a@b.example', name: 'A', password: 'long-enough-password' },
    }),
    allowed: [403],
  },
  'POST /api/invitations/accept': {
    input: () => ({ body: { token: 'wrong', name: 'A', password: 'long-enough-password' } }),
    allowed: [410],
  },
  'GET /api/users': { input: () => ({ query: { limit: '10' } }) },
  'POST /api/users/invitations': {
    input: () => ({ body: { email: `${crypto.randomUUID()}@invited.example` } }),
  },
  'PATCH /api/users/{id}': {
    input: ({ userId }) => ({ params: { id: userId }, body: { admin: true } }),
    isAimed: true,
  },
  'GET /api/users/{id}/communities': {
    input: ({ userId }) => ({ params: { id: userId } }),
    isAimed: true,
    // About oneself only: `own` is the persona staff, `foreign` the persona without access.
    expects: (caller, target) => {
      if (caller === 'no-access') return target === 'foreign' ? 200 : 404;
      return caller === 'staff-multi' ? 404 : undefined;
    },
  },
  'GET /api/service-tokens': { input: () => ({ query: {} }) },
  'POST /api/service-tokens': {
    input: ({ providerId }) => ({
      body: { name: 'Bot', scopes: ['traders:read'], provider_ids: [providerId] },
    }),
    isAimed: true,
  },
  'DELETE /api/service-tokens/{id}': {
    input: ({ serviceTokenId }) => ({ params: { id: serviceTokenId } }),
    isAimed: true,
  },
  'GET /api/traders': {
    input: () => ({
      query: {
        limit: '10000',
        include_aum: 'true',
        include_exchanges: 'true',
        include_active_positions: 'true',
        include_position_history: 'true',
        include_referrals: 'true',
        include_referral_code: 'true',
        include_invoices: 'true',
      },
    }),
  },
  'GET /api/traders/export': { input: () => ({ query: {} }) },
  'POST /api/traders': {
    input: ({ communityId, providerId }) => ({
      body: { community_id: communityId, selected_provider_id: providerId, name: 'New' },
    }),
    isAimed: true,
  },
  'GET /api/traders/{id}': {
    input: ({ traderId }) => ({
      params: { id: traderId },
      query: {
        include_aum: 'true',
        include_exchanges: 'true',
        include_active_positions: 'true',
        include_position_history: 'true',
        include_referrals: 'true',
        include_invoices: 'true',
      },
    }),
    isAimed: true,
  },
  'PATCH /api/traders/{id}': {
    input: ({ traderId }) => ({ params: { id: traderId }, body: { language: 'pl' } }),
    isAimed: true,
  },
  'DELETE /api/traders/{id}': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/traders/{id}/subscription': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
  },
  'GET /api/traders/{id}/closed-positions': {
    input: ({ traderId }) => ({ params: { id: traderId }, query: { limit: '10' } }),
    isAimed: true,
  },
  'GET /api/traders/{id}/closed-positions/export': {
    input: ({ traderId }) => ({ params: { id: traderId }, query: {} }),
    isAimed: true,
  },
  'GET /api/traders/{id}/equity': {
    input: ({ traderId }) => ({ params: { id: traderId }, query: { from: '2020-01-01', to: '2100-01-01' } }),
    isAimed: true,
  },
  'GET /api/traders/{id}/pnl-days': {
    input: ({ traderId }) => ({ params: { id: traderId }, query: { from: '2020-01-01', to: '2100-01-01' } }),
    isAimed: true,
  },
  'GET /api/traders/{id}/audit': {
    input: ({ traderId }) => ({ params: { id: traderId }, query: {} }),
    isAimed: true,
  },
  'GET /api/traders/{id}/available-exchanges': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
  },
  'GET /api/traders/{id}/positions': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
  },
  'GET /api/exchanges/trader/{id}/balances': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
  },
  'GET /api/exchanges/{exchange}/{id}/positions': {
    input: ({ traderId, account }) => ({
      params: { exchange: account.exchange, id: traderId },
      query: { acc_uid: account.accUid },
    }),
    isAimed: true,
  },
  'GET /api/traders/{id}/ip-whitelist': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
  },
  'POST /api/traders/{id}/refresh-aum': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
  },
  'GET /api/traders/{id}/refresh-aum': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
  },
  'POST /api/traders/{id}/exchange': {
    // The exchange cannot be reached here; who is allowed gets as far as that.
    input: ({ traderId, providerId, account }) => ({
      params: { id: traderId },
      body: {
        exchange: account.supported,
        provider_id: providerId,
        apiKey: 'key',
        secretKey: 'secret',
        passphrase: 'passphrase',
        master_address: `0x${'1'.repeat(40)}`,
        agent_address: `0x${'2'.repeat(40)}`,
        agent_private_key: `0x${'3'.repeat(64)}`,
      },
    }),
    isAimed: true,
    allowed: [422, 503],
  },
  'POST /api/traders/{id}/exchange/reveal': {
    input: ({ traderId, account }) => ({
      params: { id: traderId },
      body: {
        exchange: account.exchange,
        acc_uid: account.accUid,
        field: account.exchange === 'hyperliquid' ? 'agent_private_key' : 'api_key',
      },
    }),
    isAimed: true,
  },
  'DELETE /api/traders/{id}/exchange': {
    input: ({ traderId }) => ({ params: { id: traderId }, body: { exchange: 'okx', acc_uid: 'nobody' } }),
    isAimed: true,
    // No such account: missing looks like foreign. tests/api/exchanges.test.ts removes real ones.
    allowed: [404],
  },
  'GET /api/traders/{id}/vip': { input: ({ traderId }) => ({ params: { id: traderId } }), isAimed: true },
  'POST /api/traders/referral': {
    input: ({ traderId, referralCode }) => ({ body: { trader_id: traderId, referral_code: referralCode } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/traders/referral-info/{code}': {
    input: ({ referralCode }) => ({ params: { code: referralCode } }),
    isAimed: true,
  },
  'GET /api/invoices/admin/all': { input: () => ({ query: { limit: '10000', include_archived: 'true' } }) },
  'GET /api/sweep-operations/admin/all': { input: () => ({ query: { limit: '10000' } }) },
  'GET /api/communities/{id}/sweep-operations': {
    input: ({ communityId }) => ({ params: { id: communityId }, query: { limit: '10000' } }),
    isAimed: true,
  },
  'GET /api/sweep-operations/summary': { input: () => ({ query: {} }) },
  'GET /api/sweep-operations/{id}': {
    input: ({ sweepOperationId }) => ({ params: { id: sweepOperationId } }),
    isAimed: true,
  },
  'GET /api/sweep-operations/export': { input: () => ({ query: {} }) },
  'GET /api/invoices/admin/groups': { input: () => ({ query: { limit: '10000' } }) },
  'GET /api/invoices/export': { input: () => ({ query: { include_archived: 'true' } }) },
  'GET /api/invoices/community/{id}': {
    input: ({ communityId }) => ({ params: { id: communityId }, query: { limit: '10000' } }),
    isAimed: true,
  },
  'GET /api/invoices/trader/{id}': {
    input: ({ traderId }) => ({ params: { id: traderId }, query: {} }),
    isAimed: true,
  },
  'GET /api/traders/{id}/invoices': {
    input: ({ traderId }) => ({ params: { id: traderId }, query: {} }),
    isAimed: true,
  },
  'GET /api/invoices/{id}': { input: ({ invoiceId }) => ({ params: { id: invoiceId } }), isAimed: true },
  'GET /api/invoices/{id}/positions': {
    input: ({ invoiceId }) => ({ params: { id: invoiceId }, query: { limit: '10000' } }),
    isAimed: true,
  },
  'PATCH /api/invoices/{id}/archive': {
    input: ({ invoiceId }) => ({ params: { id: invoiceId }, body: { is_archived: true } }),
    isAimed: true,
  },
  'PATCH /api/invoices/{id}/status': {
    input: ({ invoiceId }) => ({ params: { id: invoiceId }, body: { is_paid: true } }),
    isAimed: true,
    allowed: [200, 409],
  },
  'PATCH /api/invoices/admin/status': {
    input: ({ invoiceId }) => ({ body: { invoice_ids: [invoiceId], is_paid: true } }),
    isAimed: true,
    allowed: [200, 409],
  },
  'PATCH /api/invoices/admin/archive': {
    input: ({ invoiceId }) => ({ body: { invoice_ids: [invoiceId], is_archived: false } }),
    isAimed: true,
  },
  'POST /api/invoices/trader/{id}/notify': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
    allowed: [200, 409, 422],
  },
  'GET /api/invoices/runs': { input: () => ({ query: {} }) },
  'POST /api/invoices/runs': {
    input: ({ communityId }) => ({ body: { community_id: communityId } }),
    isAimed: true,
  },
  'GET /api/invoices/runs/{id}': { input: ({ runId }) => ({ params: { id: runId } }), isAimed: true },
  'GET /api/payments/unmatched': { input: () => ({ query: {} }) },
  'GET /api/messages': { input: () => ({ query: { limit: '10000' } }) },
  'POST /api/messages/{id}/retry': {
    input: ({ messageId }) => ({ params: { id: messageId } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/saved-views': { input: () => ({ query: { screen: 'invoices' } }) },
  'POST /api/saved-views': {
    input: () => ({ body: { screen: 'invoices', name: 'Mine', query: 'tab=unpaid' } }),
  },
  'DELETE /api/saved-views/{id}': {
    // A view is its owner's alone: nobody finds that of somebody else, a super admin included.
    input: ({ savedViewId }) => ({ params: { id: savedViewId } }),
    isAimed: true,
    allowed: [404],
  },
  'GET /api/communities': { input: () => ({ query: { include_aum: 'true' } }) },
  'GET /api/super-admin/communities': { input: () => ({ query: { include_archived: 'true' } }) },
  'GET /api/communities/{id}': {
    input: ({ communityId }) => ({ params: { id: communityId }, query: { include_config: 'true' } }),
    isAimed: true,
  },
  'GET /api/communities/{id}/traders': {
    input: ({ communityId }) => ({
      params: { id: communityId },
      query: { limit: '10000', include_aum: 'true' },
    }),
    isAimed: true,
  },
  'GET /api/communities/{id}/stats': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'GET /api/communities/{id}/days': {
    input: ({ communityId }) => ({
      params: { id: communityId },
      query: { from: '2020-01-01', to: '2100-01-01' },
    }),
    isAimed: true,
  },
  'GET /api/communities/{id}/signups': {
    input: ({ communityId }) => ({ params: { id: communityId }, query: { interval: 'month' } }),
    isAimed: true,
  },
  'GET /api/communities/{id}/subscription': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'GET /api/communities/{id}/vip/stats': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'GET /api/communities/{id}/vip/traders': {
    input: ({ communityId }) => ({ params: { id: communityId }, query: { limit: '10000' } }),
    isAimed: true,
  },
  'PATCH /api/communities/{id}': {
    input: ({ communityId }) => ({ params: { id: communityId }, body: { minimum_balance: 10_000 } }),
    isAimed: true,
  },
  'PATCH /api/super-admin/communities/{id}': {
    input: ({ communityId }) => ({ params: { id: communityId }, body: { split_percentage: 5 } }),
    isAimed: true,
  },
  'PATCH /api/super-admin/communities/{id}/archive': {
    // It has traders with AUM.
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
    allowed: [409],
  },
  'DELETE /api/super-admin/communities/{id}': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/super-admin/communities/{id}/split-history': {
    input: ({ communityId }) => ({ params: { id: communityId }, query: {} }),
    isAimed: true,
  },
  'GET /api/super-admin/communities/{id}/pending-distributions': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'POST /api/super-admin/communities/{id}/distribute': {
    input: ({ communityId }) => ({ params: { id: communityId }, body: { dry_run: true } }),
    isAimed: true,
    allowed: [200, 409],
  },
  'GET /api/super-admin/communities/{id}/distributions': {
    input: ({ communityId }) => ({ params: { id: communityId }, query: {} }),
    isAimed: true,
  },
  'POST /api/super-admin/distributions/{id}/approve': {
    // It was declined.
    input: ({ distributionId }) => ({ params: { id: distributionId } }),
    isAimed: true,
    allowed: [409],
  },
  'POST /api/super-admin/distributions/{id}/decline': {
    input: ({ distributionId }) => ({ params: { id: distributionId } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/communities/{id}/wallet-balance': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'GET /api/communities/{id}/available-for-withdrawal': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'POST /api/communities/{id}/withdraw': {
    input: ({ communityId }) => ({ params: { id: communityId }, body: { dry_run: true } }),
    isAimed: true,
    allowed: [200, 409],
  },
  'POST /api/sweep-operations/{id}/retry': {
    // It was imported.
    input: ({ sweepOperationId }) => ({ params: { id: sweepOperationId } }),
    isAimed: true,
    allowed: [409],
  },
  'POST /api/sweep-operations/{id}/cancel': {
    input: ({ sweepOperationId }) => ({ params: { id: sweepOperationId } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/super-admin/wallets': { input: () => ({ query: { limit: '10000' } }) },
  'POST /api/super-admin/wallets/{id}/unfreeze': {
    // It is not frozen.
    input: ({ walletId }) => ({ params: { id: walletId }, body: { reason: 'Looked at' } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/providers': { input: () => ({ query: { active: 'true' } }) },
  // Last: it makes the referral code of the others stale.
  'POST /api/traders/{id}/referrals/regenerate': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
  },
};
