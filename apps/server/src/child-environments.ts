import { EXCHANGES } from '@copydesk/domain';
import type { ConfigVariable } from './config.ts';

/** The processes that `npm start` keeps running. */
type Child = 'API' | 'worker';

const BOTH = ['API', 'worker'] as const;
const API = ['API'] as const;
const WORKER = ['worker'] as const;
/** `npm start` itself, which migrates and sets up the demo world. */
const NONE = [] as const;

/**
 * The processes that get each variable. Only processes that use a secret get it: an attacker in the API, which faces the
 * network, finds neither the owner's password nor the seed of the wallets. A configuration variable without a line here
 * does not compile.
 */
const READERS: Record<ConfigVariable | 'WALLET_SEED', readonly Child[]> = {
  DATABASE_URL: BOTH,
  DATABASE_DIRECT_URL: BOTH,
  DATABASE_UNNAMED_STATEMENTS: BOTH,
  DATABASE_OWNER_URL: NONE,
  DATABASE_POOL: BOTH,
  COPYDESK_DATA_DIR: BOTH,
  LOG_LEVEL: BOTH,
  AUDIT_KEY: BOTH,
  CREDENTIALS_KEY: BOTH,
  CREDENTIALS_OTHER_KEYS: BOTH,
  CREDENTIALS_INDEX_KEY: BOTH,

  PORT: BOTH,
  HOST: API,
  COPYDESK_DEMO: API,
  PUBLIC_URL: BOTH,
  EXTERNAL_URL: API,
  EXPLORER_URL: API,
  TRUSTED_PROXIES: API,
  SMTP_URL: BOTH,
  SMTP_FROM: BOTH,
  BETTER_AUTH_SECRET: API,
  METRICS_PORT: API,
  RATE_LIMIT_PER_MINUTE: API,

  EXCHANGE_BYBIT_URL: BOTH,
  EXCHANGE_BINANCE_URL: BOTH,
  EXCHANGE_OKX_URL: BOTH,
  EXCHANGE_KUCOIN_URL: BOTH,
  EXCHANGE_HYPERLIQUID_URL: BOTH,
  EXCHANGE_PROXY_URL: BOTH,
  EXCHANGE_TIMEOUT_MS: API,
  EXCHANGE_WORKER_TIMEOUT_MS: WORKER,
  EXCHANGE_API_SHARE: API,
  API_PROCESSES: API,
  EXCHANGE_WORKER_SHARE: WORKER,
  WORKER_PROCESSES: WORKER,
  READING_EVERY_MS: WORKER,

  INVOICING_CRON: WORKER,
  // A public key: the API gives buyers of a bot their address.
  DEPOSIT_ACCOUNT_KEY: BOTH,
  TELEGRAM_BOT_TOKEN: WORKER,
  TELEGRAM_API_URL: BOTH,
  TELEGRAM_TIMEOUT_MS: BOTH,
  TELEGRAM_PER_SECOND: WORKER,

  STRIPE_SECRET_KEY: BOTH,
  STRIPE_WEBHOOK_SECRETS: BOTH,
  STRIPE_PRICE_MONTHLY: BOTH,
  STRIPE_PRICE_YEARLY: BOTH,
  STRIPE_API_URL: BOTH,
  STRIPE_TIMEOUT_MS: BOTH,
  BILLING_GRACE_DAYS: BOTH,

  APPROVAL_ABOVE_USDT: BOTH,
  APPROVER_MIN_HOURS: BOTH,
  PAYOUT_ADDRESS_HOLD_HOURS: BOTH,
  COMMISSION_RATE: BOTH,
  INVOICE_DUE_DAYS: BOTH,
  HEXMOUNT_WEIGHT: BOTH,
  SIXK_WEIGHT: BOTH,
  EGRESS_ADDRESSES: BOTH,
  PLAN_MONTHLY_USD: BOTH,
  PLAN_YEARLY_USD: BOTH,
  LOCKED_SETTINGS: BOTH,
  REVEAL_SUPER_ONLY: API,
  CHAIN_ID: BOTH,
  TOKEN_ADDRESS: BOTH,
  CHAIN_RPC_URLS: WORKER,
  CHAIN_CONFIRMATIONS: WORKER,
  CHAIN_TIMEOUT_MS: WORKER,
  CHAIN_BLOCKS_AT_ONCE: WORKER,
  CHAIN_MAX_FEE_GWEI: BOTH,
  PAYOUT_MAX_PER_TRANSACTION: BOTH,
  PAYOUT_MAX_PER_DAY: BOTH,
  TRADING_BOT_URL: WORKER,
  TRADING_BOT_SECRET: WORKER,
  TRADING_BOT_TIMEOUT_MS: WORKER,
  TRADING_BOT_ACK_SECRETS: API,
  WALLET_SEED: WORKER,
  // There is one API, so no proxy has another one to send requests to.
  DRAIN_MS: NONE,
  SIMULATORS_PORT_CHAIN: NONE,
  SIMULATORS_PORT_BYBIT: NONE,
  DEMO_FIRST_ACTS: NONE,
};

/** TLS settings of the PostgreSQL driver. Passwords belong in DATABASE_URL. */
const DATABASE_TLS = ['PGSSLMODE', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY'];

/** The variables of a process, besides those of Node itself. */
export function variablesOf(child: Child): string[] {
  const own = Object.entries(READERS).filter(([, readers]) => readers.includes(child));
  return [...DATABASE_TLS, ...own.map(([name]) => name)];
}

/** All variables of the simulators; their chain stores its state in COPYDESK_DATA_DIR. */
export const SIMULATOR_VARIABLES = [
  'COPYDESK_DATA_DIR',
  'SIMULATORS_EPOCH',
  'SIMULATORS_TRADERS',
  'SIMULATORS_RATE_LIMITS',
  'SIMULATORS_TELEGRAM_TOKEN',
  'SIMULATORS_CHAIN_HOLDINGS',
  'SIMULATORS_POOLS',
  'SIMULATORS_POOL_FUNDS',
  'SIMULATORS_POOL_MEMBERS',
  'SIMULATORS_POOL_IDS',
  'SIMULATORS_PORT_TRADING_BOT',
  'SIMULATORS_BOT_SECRET',
  'SIMULATORS_ACK_URL',
  'SIMULATORS_ACK_SECRET',
  'SIMULATORS_BILLING_KEY',
  'SIMULATORS_BILLING_WEBHOOK_SECRET',
  'SIMULATORS_BILLING_WEBHOOK_URL',
  ...[...EXCHANGES, 'telegram', 'chain', 'billing'].map((name) => `SIMULATORS_PORT_${name.toUpperCase()}`),
];
