import type { Cases } from './case.ts';

// Super admins only, whatever the bot. None has this id, so nothing is changed either.
const MISSING = '00000000-0000-4000-8000-00000000b07a';
const params = { id: MISSING };
const missing = { input: () => ({ params }), allowed: [404] };
const missingList = { input: () => ({ params, query: {} }), allowed: [404] };
const TOKEN = '1000009:demo-matrix-token-of-a-bot';

/** The bots of communities. */
export const EXCHANGE_BOT_CASES = {
  'POST /api/exchange-bot': {
    input: () => ({ body: { community_id: MISSING, token: TOKEN } }),
    allowed: [404],
  },
  'GET /api/exchange-bots': { input: () => ({}) },
  'GET /api/exchange-bot/{id}': missing,
  'PATCH /api/exchange-bot/{id}': {
    input: () => ({ params, body: { is_active: false, token: TOKEN } }),
    allowed: [404],
  },
  'POST /api/exchange-bot/{id}/check': missing,
  'GET /api/exchange-bot/community/{id}': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'GET /api/exchange-bot/community/{id}/pricing': {
    input: ({ communityId }) => ({ params: { id: communityId } }),
    isAimed: true,
  },
  'POST /api/exchange-bot/invoices': {
    input: () => ({ body: { plan_id: MISSING, trader_id: MISSING } }),
    allowed: [404],
  },
  'POST /api/exchange-bot/invoices/{id}/apply-coupon': {
    input: () => ({ params, body: { coupon_code: 'SPRING' } }),
    allowed: [404],
  },
  'PATCH /api/exchange-bot/invoices/{id}/status': {
    input: () => ({ params, body: { status: 'cancelled' as const } }),
    allowed: [404],
  },
  'GET /api/exchange-bot/invoices/{id}': missing,
  'GET /api/exchange-bot/invoices/user/{id}': missingList,
  'GET /api/exchange-bot/{id}/sales': missingList,
  'GET /api/exchange-bot/{id}/sales/figures': missingList,
  'GET /api/exchange-bot/{id}/subscribers': missingList,
  'GET /api/exchange-bot/{id}/pricing': missing,
  'POST /api/exchange-bot/{id}/pricing': {
    input: () => ({ params, body: { name: 'Month', days: 30, amount: '50' } }),
    allowed: [404],
  },
  'PATCH /api/exchange-bot/pricing/{id}': {
    input: () => ({ params, body: { is_active: false } }),
    allowed: [404],
  },
  'DELETE /api/exchange-bot/pricing/{id}': missing,
  'GET /api/exchange-bot/{id}/coupons': missing,
  'POST /api/exchange-bot/{id}/coupons': {
    input: () => ({ params, body: { code: 'SPRING', percent: 10 } }),
    allowed: [404],
  },
  'DELETE /api/exchange-bot/coupons/{id}': missing,
  'GET /api/exchange-bot/{id}/custom-faqs': missing,
  'POST /api/exchange-bot/{id}/custom-faqs': {
    input: () => ({ params, body: { language: 'en', question: 'Why?', answer: 'Because.' } }),
    allowed: [404],
  },
  'PATCH /api/exchange-bot/custom-faqs/{id}': {
    input: () => ({ params, body: { place: 0 } }),
    allowed: [404],
  },
  'DELETE /api/exchange-bot/custom-faqs/{id}': missing,
  'GET /api/exchange-bot/{id}/texts': {
    input: () => ({ params, query: { language: 'en' as const } }),
    allowed: [404],
  },
  'GET /api/exchange-bot/{id}/messages': missingList,
  'POST /api/exchange-bot/{id}/messages/retry': missing,
  'POST /api/exchange-bot/{id}/messages/{messageId}/retry': {
    input: () => ({ params: { id: MISSING, messageId: MISSING } }),
    allowed: [404],
  },
  'GET /api/exchange-bot-messages': { input: () => ({ query: { limit: '100' } }) },
  'POST /api/exchange-bot-messages/retry-preview': { input: () => ({ body: { ids: [MISSING] } }) },
  // Another number than can be sent again.
  'POST /api/exchange-bot-messages/retry': {
    input: () => ({ body: { ids: [MISSING], expected: 2 } }),
    allowed: [409],
  },
} satisfies Partial<Cases>;
