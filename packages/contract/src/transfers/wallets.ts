import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, decimalString, id, line, paging, timestamp } from '../fields.ts';

const wallet = z.object({
  id,
  role: z.enum(['gas', 'community', 'deposit', 'pool_deposit', 'pool_proxy']),
  owner_id: id,
  address: z.string(),
  frozen_because: z.string(),
  frozen_at: timestamp,
});

export const walletCalls = entries({
  'GET /api/communities/{id}/wallet-balance': {
    summary: "A community's internal wallet, according to the books",
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(
      z.object({
        /** null: the worker has not set it up yet. */
        address: z.string().nullable(),
        /** USDT that is final on chain. */
        balance: decimalString,
        /** USDT at the deposit addresses of traders that backs the community's debt. */
        to_consolidate: decimalString,
        as_of: timestamp,
        frozen_because: z.string().nullable(),
      }),
    ),
    errors: ['not_found'],
  },
  'GET /api/super-admin/wallets': {
    summary: 'Frozen wallets, which send no transfers until reviewed',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject(paging),
    answer: page(wallet, { total: z.int() }),
    errors: [],
  },
  'GET /api/super-admin/gas-wallet': {
    summary: 'The wallet that pays for all transactions, filled by hand',
    permission: 'super',
    recentAuth: false,
    answer: ok(
      z.object({
        /** null: no worker with the seed has run yet. */
        address: z.string().nullable(),
        /** BNB when a worker last read it; null: not read yet. */
        balance: decimalString.nullable(),
        read_at: timestamp.nullable(),
        /** Number of token transfers that the balance pays for; null: not read yet. */
        transfers: z.int().nullable(),
        /** The cost behind `transfers`, top-ups included: of recent transfers, or at the highest gas price of the settings. */
        fee_basis: z.enum(['recent', 'highest']),
        frozen_because: z.string().nullable(),
      }),
    ),
    errors: [],
  },
  'POST /api/super-admin/wallets/{id}/unfreeze': {
    summary: 'Unfreezes a wallet, which continues at the nonce of the chain',
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject({ reason: line.describe('the finding of the review; stored in the audit') }),
    answer: ok(z.object({ id })),
    errors: ['not_found', 'wallet_not_frozen'],
    idempotent: true,
  },
});
