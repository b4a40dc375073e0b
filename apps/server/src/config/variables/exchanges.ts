import { z } from 'zod';
import { httpAddress } from '../addresses.ts';
import { splitList } from '../split-list.ts';
import { API, BOTH, type Variables, WORKER } from '../variable.ts';

/** Exchanges. */
export const EXCHANGES_VARIABLES = {
  EXCHANGE_BYBIT_URL: {
    schema: httpAddress.optional(),
    readers: BOTH,
    meaning: 'Another address of Bybit, for tests',
    unset: 'the real one',
  },
  EXCHANGE_BINANCE_URL: {
    schema: httpAddress.optional(),
    readers: BOTH,
    meaning: 'Another address of Binance, for tests',
    unset: 'the real one',
  },
  EXCHANGE_OKX_URL: {
    schema: httpAddress.optional(),
    readers: BOTH,
    meaning: 'Another address of OKX, for tests',
    unset: 'the real one',
  },
  EXCHANGE_KUCOIN_URL: {
    schema: httpAddress.optional(),
    readers: BOTH,
    meaning: 'Another address of KuCoin, for tests',
    unset: 'the real one',
  },
  EXCHANGE_HYPERLIQUID_URL: {
    schema: httpAddress.optional(),
    readers: BOTH,
    meaning: 'Another address of Hyperliquid, for tests',
    unset: 'the real one',
  },
  EXCHANGE_PROXY_URL: {
    schema: httpAddress.optional(),
    readers: BOTH,
    meaning: 'HTTP proxy for all requests to exchanges',
  },
  EXCHANGE_TIMEOUT_MS: {
    schema: z.coerce.number().int().min(100).max(60_000).default(7_000),
    readers: API,
    meaning:
      'Total time limit of an exchange for a read that an operator waits for. The console gives up after 10 s',
  },
  EXCHANGE_WORKER_TIMEOUT_MS: {
    schema: z.coerce.number().int().min(100).max(60_000).default(10_000),
    readers: WORKER,
    meaning: 'How long an exchange may take to answer one request of a worker',
  },
  EXCHANGE_API_SHARE: {
    schema: z.coerce.number().min(0.01).max(1).default(0.2),
    readers: API,
    meaning: "Share of each exchange's documented limit for all API processes together",
  },
  EXCHANGE_WORKER_SHARE: {
    schema: z.coerce.number().min(0.01).max(1).default(0.4),
    readers: WORKER,
    meaning: 'The same for all workers together',
  },
  API_PROCESSES: {
    schema: z.coerce.number().int().min(1).max(1_000).default(1),
    readers: API,
    meaning: 'Number of API processes that divide their share',
  },
  WORKER_PROCESSES: {
    schema: z.coerce.number().int().min(1).max(1_000).default(1),
    readers: WORKER,
    meaning: 'Number of workers that divide theirs, and `TELEGRAM_PER_SECOND`',
  },
  READING_EVERY_MS: {
    schema: z.coerce
      .number()
      .int()
      .min(1_000)
      // A timer of Node waits for at most 24 days, and not at all beyond that.
      .max(24 * 3_600_000)
      .default(8 * 60_000),
    readers: WORKER,
    meaning: 'How often every exchange account is read',
  },
  EGRESS_ADDRESSES: {
    schema: z
      .string()
      .default('')
      .transform(splitList)
      .pipe(z.array(z.union([z.ipv4(), z.ipv6()]))),
    readers: BOTH,
    meaning:
      'IP addresses from which exchanges see our requests, separated by commas; shown to whoever connects a key',
  },
} satisfies Variables;
