import { type Cases, NOTHING } from './case.ts';

const MISSING = '00000000-0000-4000-8000-00000000dead';

/** Distributions, payouts and wallets. */
export const PAYOUT_CASES = {
  'GET /api/payments/stop': { input: () => ({}) },
  'GET /api/payments/stops': { input: () => ({ query: {} }) },
  // No worker pays in this world, and a stop goes on when it is set again.
  'POST /api/payments/stop': { input: () => ({ body: { reason: 'A case of the matrix' } }) },
  'POST /api/payments/stop/lifts': {
    input: () => ({ body: { stop_id: MISSING, reason: 'A case of the matrix' } }),
    allowed: [404],
  },
  'POST /api/payments/stop/lifts/{id}/confirm': {
    input: () => ({ params: { id: MISSING } }),
    allowed: [404],
  },
  'POST /api/payments/stop/lifts/{id}/withdraw': {
    input: () => ({ params: { id: MISSING } }),
    allowed: [404],
  },
  'GET /api/sweep-operations/admin/all': { input: () => ({ query: { limit: '10000' } }) },
  'GET /api/communities/{id}/sweep-operations': {
    input: ({ communityId }) => ({ params: { id: communityId }, query: { limit: '10000' } }),
    isAimed: true,
  },
  'GET /api/sweep-operations/summary': { input: () => ({ query: {} }) },
  'GET /api/sweep-operations/{id}': {
    input: ({ payoutId }) => ({ params: { id: payoutId } }),
    isAimed: true,
  },
  'GET /api/sweep-operations/export': { input: () => ({ query: {} }) },
  'GET /api/super-admin/pending-distributions': { input: () => ({}) },
  'GET /api/super-admin/communities/{id}/pending-distributions': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'GET /api/super-admin/communities/{id}/payout-addresses': {
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
  'POST /api/super-admin/payout-runs/plan': {
    input: ({ communityId }) => ({ body: { community_ids: [communityId] } }),
  },
  'POST /api/super-admin/payout-runs': {
    // It is not what was seen, or nothing is pending.
    input: ({ communityId }) => ({ body: { community_ids: [communityId], seen: '0'.repeat(64) } }),
    allowed: [409],
  },
  'GET /api/super-admin/payout-runs': { input: () => ({ query: {} }) },
  'GET /api/super-admin/payout-runs/{id}': { input: () => ({ params: { id: MISSING } }), allowed: [404] },
  'GET /api/super-admin/payout-runs/{id}/lines': {
    input: () => ({ params: { id: MISSING } }),
    allowed: [404],
  },
  'POST /api/super-admin/payout-runs/{id}/approve': {
    input: () => ({ params: { id: MISSING }, body: { seen: '0'.repeat(64) } }),
    allowed: [404],
  },
  'POST /api/super-admin/payout-runs/{id}/decline': {
    input: () => ({ params: { id: MISSING } }),
    allowed: [404],
  },
  'GET /api/super-admin/distributions/awaiting': { input: () => ({ query: {} }) },
  'GET /api/super-admin/distributions/{id}/recipients': {
    // It was declined.
    input: ({ distributionId }) => ({ params: { id: distributionId } }),
    isAimed: true,
    allowed: [409],
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
    input: ({ payoutId }) => ({ params: { id: payoutId } }),
    isAimed: true,
    allowed: [409],
  },
  'POST /api/sweep-operations/retry/preview': {
    input: ({ payoutId }) => ({ body: { payout_ids: [payoutId] } }),
  },
  'POST /api/sweep-operations/retry': {
    input: ({ payoutId }) => ({
      body: { payout_ids: [payoutId], expected_count: 1, expected_amount: '1' },
    }),
    // It was imported.
    allowed: [409],
  },
  'POST /api/sweep-operations/{id}/cancel': {
    input: ({ payoutId }) => ({ params: { id: payoutId } }),
    isAimed: true,
    allowed: [409],
  },
  'POST /api/sweep-operations/{id}/resend': {
    // It has not failed.
    input: ({ payoutId }) => ({ params: { id: payoutId }, body: { reason: 'Looked at' } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/super-admin/recipients': { input: () => ({ query: { limit: '200' } }) },
  'GET /api/super-admin/payout-addresses': { input: () => ({ query: {} }) },
  'POST /api/super-admin/payout-addresses/release': {
    input: ({ poolId }) => ({ body: { change_ids: [poolId] } }),
    // There is no such change.
    allowed: [404],
  },
  'POST /api/super-admin/payout-addresses/{id}/release': {
    // No address has this id.
    input: ({ walletId }) => ({ params: { id: walletId } }),
    allowed: [404],
  },
  'GET /api/super-admin/deposit-reading': NOTHING,
  'POST /api/super-admin/deposit-reading/resume': {
    // It goes on.
    input: () => ({ body: { reason: 'Looked at' } }),
    allowed: [409],
  },
  'GET /api/super-admin/wallets': { input: () => ({ query: { limit: '10000' } }) },
  'GET /api/super-admin/gas-wallet': { input: () => ({}) },
  'POST /api/super-admin/wallets/{id}/unfreeze': {
    // It is not frozen.
    input: ({ walletId }) => ({ params: { id: walletId }, body: { reason: 'Looked at' } }),
    isAimed: true,
    allowed: [409],
  },
} satisfies Partial<Cases>;
