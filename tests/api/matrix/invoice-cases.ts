import { randomUUID } from 'node:crypto';
import type { Cases } from './case.ts';

/** Invoices, payments and messages. */
export const INVOICE_CASES = {
  'GET /api/invoices/admin/all': { input: () => ({ query: { limit: '10000', include_archived: 'true' } }) },
  'GET /api/invoices/admin/groups': { input: () => ({ query: { limit: '10000' } }) },
  'GET /api/invoices/admin/groups/unknown': { input: () => ({ query: { limit: '10000' } }) },
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
  'GET /api/statements/balances': {
    input: ({ traderId }) => ({ query: { owner_kind: 'trader', owner_id: traderId } }),
    isAimed: true,
  },
  'GET /api/statements': {
    input: ({ traderId }) => ({ query: { owner_kind: 'trader', owner_id: traderId, account: 'receivable' } }),
    isAimed: true,
  },
  'GET /api/statements/export': {
    input: ({ traderId }) => ({ query: { owner_kind: 'trader', owner_id: traderId, account: 'receivable' } }),
    isAimed: true,
  },
  'GET /api/invoices/{id}/pdf': {
    input: ({ invoiceId }) => ({ params: { id: invoiceId }, query: {} }),
    isAimed: true,
  },
  'GET /api/timeline': {
    input: ({ invoiceId }) => ({ query: { subject_kind: 'invoice', subject_id: invoiceId } }),
    isAimed: true,
  },
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
  'POST /api/invoices/admin/recall': {
    input: ({ invoiceId }) => ({ body: { invoice_ids: [invoiceId], reason: 'The wrong rate' } }),
    isAimed: true,
    allowed: [200, 409],
  },
  'POST /api/invoices/admin/preview': {
    input: ({ invoiceId }) => ({ body: { act: 'archive', invoice_ids: [invoiceId] } }),
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
  'GET /api/invoices/runs/{id}/lines': {
    input: ({ runId }) => ({ params: { id: runId }, query: {} }),
    isAimed: true,
  },
  // No draft: one would be gone for the other callers.
  'PATCH /api/invoices/runs/{id}/lines': {
    input: ({ runId, traderId }) => ({
      params: { id: runId },
      body: { trader_ids: [traderId], excluded: true },
    }),
    isAimed: true,
    allowed: [409],
  },
  'POST /api/invoices/runs/{id}/send': {
    input: ({ runId }) => ({ params: { id: runId }, body: { invoices: 1, amount: '1' } }),
    isAimed: true,
    allowed: [409],
  },
  'POST /api/invoices/runs/{id}/discard': {
    input: ({ runId }) => ({ params: { id: runId } }),
    isAimed: true,
    allowed: [409],
  },
  'GET /api/invoices/differences': { input: () => ({ query: {} }) },
  'POST /api/invoices/differences/dismiss': {
    input: () => ({ body: { kind: 'unread_closes', id: randomUUID(), seen: 'never' } }),
    allowed: [404],
  },
  'GET /api/invoices/deductions': { input: () => ({ query: {} }) },
  'POST /api/invoices/deductions/{id}/end': {
    input: () => ({ params: { id: randomUUID() }, body: { left: '1' } }),
    allowed: [404],
  },
  'POST /api/invoices/differences/deduct': {
    input: () => ({ body: { kind: 'corrected_close', id: randomUUID(), seen: 'never' } }),
    allowed: [404],
  },
  'GET /api/payments/unmatched': { input: () => ({ query: {} }) },
  'GET /api/payments/other-tokens': { input: () => ({ query: {} }) },
  'POST /api/payments/{id}/tip': {
    input: () => ({ params: { id: randomUUID() }, body: { amount: '1', reason: 'Not claimed' } }),
    allowed: [404],
  },
  'POST /api/payments/{id}/return': {
    input: () => ({
      params: { id: randomUUID() },
      body: { amount: '1', to_address: `0x${'1'.repeat(40)}`, reason: 'Not claimed' },
    }),
    allowed: [404],
  },
  'GET /api/messages': { input: () => ({ query: { limit: '10000' } }) },
  'POST /api/messages/{id}/retry': {
    input: ({ messageId }) => ({ params: { id: messageId } }),
    isAimed: true,
    allowed: [409],
  },
  'POST /api/messages/retry-preview': {
    input: ({ messageId }) => ({ body: { ids: [messageId] } }),
  },
  // Another number than can be sent again.
  'POST /api/messages/retry': {
    input: ({ messageId }) => ({ body: { ids: [messageId], expected: 2 } }),
    allowed: [409],
  },
} satisfies Partial<Cases>;
