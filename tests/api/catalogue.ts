import type { Call } from '@copydesk/contract';

/** Parameters of a call in the catalogue: those of its query with a value of each kind, and the fields of its body. */
interface Listed {
  query?: Record<string, string>;
  body?: readonly string[];
  /** Further values that the catalogue names, each of which has to be accepted. */
  values?: readonly Record<string, string>[];
}

const INCLUDE = Object.fromEntries(
  ['aum', 'exchanges', 'active_positions', 'position_history', 'referrals', 'referral_code', 'invoices'].map(
    (part) => [`include_${part}`, 'true'],
  ),
);
const FROM_TO = { created_at_from: '2026-01-01T00:00:00.000Z', created_at_to: '2030-01-01T00:00:00.000Z' };
const INVOICE_FILTERS = {
  is_paid: 'false',
  limit: '5',
  offset: '0',
  include_archived: 'true',
  orderBy: 'created_at',
  orderDir: 'desc',
  exchange: 'bybit',
  min_amount: '1',
  max_amount: '1000000',
  ...FROM_TO,
};
const SWEEPS = { limit: '20', offset: '0', orderBy: 'created_at', orderDir: 'desc' };

/** Every call that the consoles of both specifications make, as they make it. The paths are below /api. */
export const CATALOGUE: Partial<Record<Call, Listed>> = {
  'GET /api/traders': { query: { include_aum: 'true', include_exchanges: 'true' }, values: [INCLUDE] },
  'GET /api/traders/{id}': { query: INCLUDE },
  'PATCH /api/traders/{id}': {
    body: ['status', 'reference_number', 'last_updated_by', 'external_wallet_address', 'language'],
  },
  'DELETE /api/traders/{id}': {},
  'POST /api/traders': {},
  'POST /api/traders/{id}/exchange': { body: ['exchange', 'provider_id', 'apiKey', 'secretKey'] },
  'DELETE /api/traders/{id}/exchange': { body: ['exchange', 'acc_uid'] },
  'POST /api/traders/referral': { body: ['trader_id', 'referral_code'] },
  'POST /api/traders/{id}/referrals/regenerate': {},
  'GET /api/traders/referral-info/{code}': {},
  'GET /api/traders/{id}/subscription': {},
  'GET /api/traders/{id}/vip': {},
  'GET /api/traders/{id}/available-exchanges': {},
  'GET /api/traders/{id}/positions': {},
  'POST /api/traders/{id}/refresh-aum': {},
  'GET /api/traders/{id}/invoices': {
    query: {
      status: 'all',
      invoice_type: 'all',
      limit: '5',
      offset: '0',
      orderBy: 'amount',
      orderDir: 'asc',
      ...FROM_TO,
    },
    values: [
      { status: 'pending', invoice_type: 'regular', orderBy: 'status' },
      { status: 'paid', invoice_type: 'exchange_bot', orderBy: 'created_at' },
      { status: 'cancelled' },
    ],
  },
  'GET /api/traders/{id}/ip-whitelist': {},
  'GET /api/exchanges/trader/{id}/balances': {},
  'GET /api/exchanges/{exchange}/{id}/positions': {},

  'GET /api/invoices/admin/all': { query: INVOICE_FILTERS, values: [{ limit: '10000' }] },
  'GET /api/invoices/community/{id}': { query: INVOICE_FILTERS },
  'GET /api/invoices/trader/{id}': {},
  'PATCH /api/invoices/{id}/status': { body: ['is_paid'] },
  'PATCH /api/invoices/{id}/archive': { body: ['is_archived'] },
  'POST /api/invoices/trader/{id}/notify': {},

  'GET /api/sweep-operations/admin/all': { query: SWEEPS, values: [{ ...SWEEPS, limit: '10000' }] },
  'GET /api/communities/{id}/sweep-operations': { query: SWEEPS },
  'GET /api/users/{id}/communities': {},

  'GET /api/communities': {},
  'GET /api/super-admin/communities': { query: { include_archived: 'true' } },
  'PATCH /api/super-admin/communities/{id}': {
    body: ['split_percentage', 'minimum_balance', 'referrer_wallet_address'],
  },
  'PATCH /api/super-admin/communities/{id}/archive': {},
  'DELETE /api/super-admin/communities/{id}': {},
  'GET /api/super-admin/communities/{id}/pending-distributions': {},
  'POST /api/super-admin/communities/{id}/distribute': { body: ['selectedRecipients'] },
  'GET /api/communities/{id}': { query: { include_config: 'true' } },
  'GET /api/communities/{id}/traders': { query: { include_aum: 'true' } },
  'GET /api/communities/{id}/stats': {},
  'GET /api/communities/{id}/signups': {},
  'GET /api/communities/{id}/subscription': {},
  'GET /api/communities/{id}/wallet-balance': {},
  'GET /api/communities/{id}/available-for-withdrawal': {},
  'POST /api/communities/{id}/checkout': { body: ['interval'] },
  'POST /api/communities/{id}/customer-portal': {},
  'POST /api/communities/{id}/withdraw': {},
  'PATCH /api/communities/{id}': {},
  'GET /api/communities/{id}/vip/stats': {},
  'GET /api/communities/{id}/vip/traders': {},
  'GET /api/communities/{id}/providers': {},
  'POST /api/communities/{id}/providers': {},
  'PUT /api/communities/{id}/providers/{providerId}': { body: ['custom_display_name'] },
  'DELETE /api/communities/{id}/providers/{providerId}': {},
  'GET /api/communities/{id}/providers/{providerId}/can-remove': {},

  'GET /api/providers': { query: { active: 'true' } },
  'GET /api/providers/{id}': {},
  'POST /api/providers': {},
  'PUT /api/providers/{id}': {},
  'GET /api/providers/{id}/communities': {},
  'GET /api/providers/{id}/exchanges': {},
  'PATCH /api/providers/{id}/invoicing': { body: ['invoicing_enabled'] },

  'POST /api/pooled-accounts': {},
  'GET /api/pooled-accounts': { query: { include_inactive: 'true' } },
  'GET /api/pooled-accounts/{id}': {},
  'PUT /api/pooled-accounts/{id}': {},
  'GET /api/pooled-accounts/{id}/stats': {},
  'GET /api/pooled-accounts/{id}/traders': { query: { showPendingOnly: 'true' } },
  'GET /api/pooled-accounts/{id}/harvest/status': {},
  'POST /api/pooled-accounts/{id}/harvest': { body: ['action'] },
  'GET /api/pooled-accounts/{id}/transactions': { query: { limit: '5' } },
  'GET /api/pooled-accounts/community/{id}': {},
  'GET /api/pooled-accounts/ip-whitelist/{id}': {},
  'POST /api/pooled-accounts/global/harvest': { body: ['action'] },
  'GET /api/pooled-accounts/global/harvest/status': {},
  'GET /api/admin/bsc-pending-deposits': {},

  'POST /api/exchange-bot': {},
  'GET /api/exchange-bot/{id}': {},
  'PATCH /api/exchange-bot/{id}': {},
  'GET /api/exchange-bot/community/{id}': {},
  'POST /api/exchange-bot/invoices/{id}/apply-coupon': { body: ['coupon_code'] },
  'GET /api/exchange-bot/invoices/user/{id}': {
    query: { status: 'pending' },
    values: [{ status: 'paid' }, { status: 'cancelled' }],
  },
  'GET /api/exchange-bot/community/{id}/pricing': {},
  'POST /api/exchange-bot/invoices': {},
  'GET /api/exchange-bot/{id}/pricing': {},
  'POST /api/exchange-bot/{id}/pricing': {},
  'DELETE /api/exchange-bot/pricing/{id}': {},
  'GET /api/exchange-bot/{id}/coupons': {},
  'POST /api/exchange-bot/{id}/coupons': {},
  'DELETE /api/exchange-bot/coupons/{id}': {},
  'PATCH /api/exchange-bot/invoices/{id}/status': { body: ['status'] },
  'GET /api/exchange-bot/{id}/custom-faqs': {},
  'POST /api/exchange-bot/{id}/custom-faqs': {},
  'PATCH /api/exchange-bot/custom-faqs/{id}': {},
  'DELETE /api/exchange-bot/custom-faqs/{id}': {},
};
