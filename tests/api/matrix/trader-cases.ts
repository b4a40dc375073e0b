import type { Cases } from './case.ts';

/** Traders, their history and referrals. */
export const TRADER_CASES = {
  'GET /api/notes': {
    input: ({ traderId }) => ({ query: { subject_kind: 'trader', subject_id: traderId } }),
    isAimed: true,
  },
  'GET /api/notes/people': {
    input: ({ traderId, providerId }) => ({
      query: { subject_kind: 'trader', subject_id: traderId, provider_id: providerId },
    }),
    isAimed: true,
  },
  'POST /api/notes': {
    input: ({ traderId, providerId }) => ({
      body: { subject_kind: 'trader', subject_id: traderId, provider_id: providerId, text: 'Asked by phone' },
    }),
    isAimed: true,
    allowed: [201],
  },
  // A missing id: the callers have written none.
  'PATCH /api/notes/{id}': {
    input: ({ walletId }) => ({ params: { id: walletId }, body: { text: 'Asked again', version: 1 } }),
    allowed: [404],
  },
  'DELETE /api/notes/{id}': { input: ({ walletId }) => ({ params: { id: walletId } }), allowed: [404] },
  'PUT /api/notes/done': {
    input: ({ traderId }) => ({ body: { subject_kind: 'trader', subject_id: traderId } }),
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
        include_standing: 'true',
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
  'GET /api/traders/{id}/vip': { input: ({ traderId }) => ({ params: { id: traderId } }), isAimed: true },
  'GET /api/traders/{id}/referrals': {
    input: ({ traderId }) => ({ params: { id: traderId }, query: {} }),
    isAimed: true,
  },
  'POST /api/traders/referral': {
    input: ({ traderId, referralCode }) => ({ body: { trader_id: traderId, referral_code: referralCode } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/traders/referral-info/{code}': {
    input: ({ referralCode }) => ({ params: { code: referralCode } }),
    isAimed: true,
  },
  // Last: it makes the referral code of the others stale.
  'POST /api/traders/{id}/referrals/regenerate': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
  },
} satisfies Partial<Cases>;
