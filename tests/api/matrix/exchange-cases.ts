import type { Cases } from './case.ts';

/** Accounts on exchanges, and what is read from them. */
export const EXCHANGE_CASES = {
  'GET /api/accounts': { input: () => ({ query: { limit: '200' } }) },
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
  'POST /api/traders/{id}/ask-key': {
    input: ({ traderId }) => ({ params: { id: traderId } }),
    isAimed: true,
    // Its keys work.
    allowed: [409],
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
    // No such account: missing looks like foreign. features/exchanges/connections/exchange-accounts.test.ts removes real ones.
    allowed: [404],
  },
} satisfies Partial<Cases>;
