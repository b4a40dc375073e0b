import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import { z } from 'zod';
import { httpAddresses } from '../addresses.ts';
import { BOTH, type Variables, WORKER } from '../variable.ts';

/** The chain. */
export const CHAIN_VARIABLES = {
  CHAIN_RPC_URLS: {
    schema: httpAddresses.default([]),
    readers: WORKER,
    meaning:
      'JSON-RPC servers of the chain, separated by commas, tried in this order. Unset: no chain is read',
  },
  CHAIN_ID: {
    schema: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).default(56),
    readers: BOTH,
    meaning: "The chain's id; servers of another chain are refused",
  },
  TOKEN_ADDRESS: {
    schema: z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/)
      .default('0x55d398326f99059fF775485246999027B3197955'),
    readers: BOTH,
    meaning: 'The token that invoices are paid in',
    unset: 'USDT on BNB Smart Chain',
  },
  CHAIN_CONFIRMATIONS: {
    schema: z.coerce.number().int().min(1).max(10_000).optional(),
    readers: WORKER,
    meaning: "Blocks after one that make it final. Unset: the chain's own tag `finalized` applies",
  },
  CHAIN_TIMEOUT_MS: {
    schema: z.coerce.number().int().min(100).max(60_000).default(10_000),
    readers: WORKER,
    meaning: 'How long a server of the chain may take to answer',
  },
  CHAIN_BLOCKS_AT_ONCE: {
    schema: z.coerce.number().int().min(1).max(100_000).default(500),
    readers: WORKER,
    meaning: 'Blocks per request',
  },
  CHAIN_MIN_TIP_GWEI: {
    schema: z
      .string()
      .regex(/^\d{1,4}(\.\d{1,9})?$/)
      .default('0'),
    readers: WORKER,
    meaning:
      'Gwei per unit of gas that a transaction offers at least as a tip. A minimum that servers name when they refuse one is learned, and needs no setting',
  },
  CHAIN_MAX_FEE_GWEI: {
    schema: z.coerce.number().int().min(1).max(10_000).default(SETTING_DEFAULTS.chain_max_fee_gwei),
    readers: BOTH,
    meaning: 'Gwei per unit of gas above which no transaction is signed',
  },
  GAS_TOPUP_MAX_WEI: {
    schema: z
      .string()
      .regex(/^[1-9]\d{0,29}$/)
      .optional(),
    readers: WORKER,
    meaning: 'Wei that a worker orders from the gas wallet for one address at once',
    unset: 'fees of 50 transfers at `CHAIN_MAX_FEE_GWEI`, with room: 0.18 BNB at 20 gwei',
  },
  GAS_PER_DAY_WEI: {
    schema: z
      .string()
      .regex(/^[1-9]\d{0,29}$/)
      .optional(),
    readers: WORKER,
    meaning: 'Wei that workers order from the gas wallet within 24 hours; transfers above it wait',
    unset: 'fees of 1,000 transfers at `CHAIN_MAX_FEE_GWEI`, with room: 3.6 BNB at 20 gwei',
  },
  DEPOSIT_ACCOUNT_KEY: {
    schema: z.string().optional(),
    readers: BOTH,
    meaning:
      "Extended public key of the account (`m/44'/60'/0'`, \"xpub...\") below which traders get their deposit addresses",
  },
} satisfies Variables;
