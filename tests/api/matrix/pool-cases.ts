import { type Cases, NOTHING } from './case.ts';

/** Pooled accounts. */
export const POOL_CASES = {
  'GET /api/pooled-accounts': { input: () => ({ query: { include_inactive: 'true' } }) },
  'POST /api/pooled-accounts': {
    input: ({ communityId }) => ({
      body: { community_id: communityId, apiKey: 'none', secretKey: 'none', minimum_deposit: '100' },
    }),
    isAimed: true,
    // The community has a pool, or the exchange knows no such key.
    allowed: [409, 422, 503],
  },
  'POST /api/pooled-accounts/check-key': {
    input: ({ communityId }) => ({ body: { community_id: communityId, apiKey: 'none', secretKey: 'none' } }),
    isAimed: true,
    // As connecting it.
    allowed: [409, 422, 503],
  },
  'GET /api/pooled-accounts/ip-whitelist/{id}': {
    input: ({ poolId }) => ({ params: { id: poolId } }),
    isAimed: true,
    // Without a key, or without an answer of the exchange.
    allowed: [409, 422, 503],
  },
  'GET /api/pooled-accounts/{id}': { input: ({ poolId }) => ({ params: { id: poolId } }), isAimed: true },
  'PUT /api/pooled-accounts/{id}': {
    input: ({ poolId }) => ({ params: { id: poolId }, body: { fee_basis: 'net_carry' } }),
    isAimed: true,
  },
  'GET /api/pooled-accounts/community/{id}': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'GET /api/pooled-accounts/{id}/stats': {
    input: ({ poolId }) => ({ params: { id: poolId } }),
    isAimed: true,
  },
  'GET /api/pooled-accounts/{id}/traders': {
    input: ({ poolId }) => ({ params: { id: poolId }, query: { limit: '10000' } }),
    isAimed: true,
  },
  'POST /api/pooled-accounts/{id}/traders': {
    input: ({ poolId, traderId }) => ({ params: { id: poolId }, body: { trader_id: traderId } }),
    isAimed: true,
    allowed: [200, 409, 422],
  },
  'GET /api/pooled-accounts/{id}/results': {
    input: ({ poolId }) => ({ params: { id: poolId } }),
    isAimed: true,
  },
  'GET /api/traders/{id}/pool': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
  },
  'GET /api/pooled-accounts/{id}/harvest/status': {
    input: ({ poolId }) => ({ params: { id: poolId } }),
    isAimed: true,
  },
  'GET /api/pooled-accounts/{id}/transactions': {
    input: ({ poolId }) => ({ params: { id: poolId }, query: { limit: '10000' } }),
    isAimed: true,
  },
  'GET /api/pooled-accounts/{id}/requests': {
    input: ({ poolId }) => ({ params: { id: poolId }, query: { state: 'all', limit: '10000' } }),
    isAimed: true,
  },
  'GET /api/pooled-accounts/{id}/arrivals': {
    input: ({ poolId }) => ({ params: { id: poolId }, query: { limit: '10000' } }),
    isAimed: true,
  },
  'POST /api/pool-owner/withdrawal': { input: () => ({ body: { token: 'wrong' } }), allowed: [410] },
  'POST /api/pool-owner/withdrawal/done': { input: () => ({ body: { token: 'wrong' } }), allowed: [410] },
  'PUT /api/pooled-accounts/{id}/key': {
    input: ({ poolId }) => ({ params: { id: poolId }, body: { apiKey: 'wrong', secretKey: 'wrong' } }),
    isAimed: true,
    // No exchange knows this key.
    allowed: [422, 502, 503],
  },
  'GET /api/pooled-accounts/{id}/movements': {
    input: ({ poolId }) => ({ params: { id: poolId }, query: { limit: '10000' } }),
    isAimed: true,
  },
  'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions': {
    input: ({ poolId }) => ({
      params: { id: poolId, arrivalId: poolId },
      body: { kind: 'is_return', amount: '1', evidence: 'none' },
    }),
    isAimed: true,
    // The pool has no such arrival.
    allowed: [404],
  },
  'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/confirm': {
    input: ({ poolId }) => ({ params: { id: poolId, arrivalId: poolId, decisionId: poolId } }),
    isAimed: true,
    allowed: [404],
  },
  'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/withdraw': {
    input: ({ poolId }) => ({ params: { id: poolId, arrivalId: poolId, decisionId: poolId } }),
    isAimed: true,
    allowed: [404],
  },
  'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/undo': {
    input: ({ poolId }) => ({
      params: { id: poolId, arrivalId: poolId, decisionId: poolId },
      body: { reason: 'none' },
    }),
    isAimed: true,
    allowed: [404],
  },
  'POST /api/pooled-accounts/{id}/withdrawals': {
    input: ({ poolId }) => ({ params: { id: poolId }, body: { member_id: poolId, amount: 'all' } }),
    isAimed: true,
    // The pool has no such member.
    allowed: [404],
  },
  'POST /api/pooled-accounts/{id}/withdrawals/confirm': {
    input: ({ poolId }) => ({ params: { id: poolId }, body: { withdrawal_ids: [poolId] } }),
    isAimed: true,
    // The pool has no such withdrawal.
    allowed: [409],
  },
  'GET /api/orders': { input: () => ({ query: { state: 'all' } }) },
  'POST /api/orders/{id}/approve': { input: ({ poolId }) => ({ params: { id: poolId } }), allowed: [404] },
  'POST /api/orders/{id}/decline': { input: ({ poolId }) => ({ params: { id: poolId } }), allowed: [404] },
  'POST /api/pooled-accounts/{id}/withdrawals/{withdrawalId}/cancel': {
    input: ({ poolId }) => ({ params: { id: poolId, withdrawalId: poolId } }),
    isAimed: true,
    allowed: [404],
  },
  'POST /api/pooled-accounts/{id}/deposits/{depositId}/return': {
    input: ({ poolId }) => ({ params: { id: poolId, depositId: poolId } }),
    isAimed: true,
    allowed: [404],
  },
  'POST /api/pooled-accounts/{id}/harvest': {
    input: ({ poolId }) => ({ params: { id: poolId }, body: { action: 'stop' } }),
    isAimed: true,
    // A pool that trades cannot stop.
    allowed: [409],
  },
  'GET /api/pooled-accounts/{id}/harvest/progress': {
    input: ({ poolId }) => ({ params: { id: poolId } }),
    isAimed: true,
  },
  'POST /api/pooled-accounts/{id}/harvest/resolution': {
    input: ({ poolId }) => ({
      params: { id: poolId },
      body: { kind: 'repeat', evidence: 'none', version: 1 },
    }),
    isAimed: true,
    allowed: [409],
  },
  'POST /api/pooled-accounts/{id}/harvest/resolution/{resolutionId}/confirm': {
    input: ({ poolId }) => ({ params: { id: poolId, resolutionId: poolId } }),
    isAimed: true,
    // Nothing is proposed, or the account cannot be read.
    allowed: [409, 422, 503],
  },
  'PUT /api/pooled-accounts/{id}/deposit-address': {
    input: ({ poolId }) => ({ params: { id: poolId }, body: { address: `0x${'ab'.repeat(20)}` } }),
    isAimed: true,
    allowed: [200, 202, 409],
  },
  'POST /api/pooled-accounts/global/harvest': {
    input: () => ({ body: { action: 'retry' } }),
    // Nothing failed.
    allowed: [409],
  },
  'POST /api/pooled-accounts/global/close-gates': { input: () => ({}), allowed: [200, 409] },
  'GET /api/pooled-accounts/global/harvest/status': NOTHING,
  'GET /api/admin/bsc-pending-deposits': NOTHING,
} satisfies Partial<Cases>;
