import type { Cases } from './case.ts';

// No payment service is configured here, so the acts of super admins are refused with 409 after the scope is checked.
export const BILLING_CASES = {
  'GET /api/subscriptions': { input: () => ({}) },
  'GET /api/communities/{id}/subscription': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'GET /api/traders/{id}/subscription': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
  },
  'POST /api/communities/{id}/checkout': {
    input: ({ communityId }) => ({ params: { id: communityId }, body: { interval: 'monthly' } }),
    isAimed: true,
    allowed: [409],
  },
  'POST /api/communities/{id}/customer-portal': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/communities/{id}/payment-link': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
    allowed: [409],
  },
  'POST /api/communities/{id}/payment-link': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
    allowed: [409],
  },
  'POST /api/community-owner/payment': { input: () => ({ body: { token: 'wrong' } }), allowed: [410] },
  'POST /api/community-owner/payment/page': {
    input: () => ({ body: { token: 'wrong', interval: null } }),
    allowed: [410],
  },
} satisfies Partial<Cases>;
