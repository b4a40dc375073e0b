import { availableParallelism } from 'node:os';
import { BILLING_GRACE_DAYS, SETTING_DEFAULTS, SETTING_NAMES, type SettingName } from '@copydesk/domain';
import { CronExpressionParser } from 'cron-parser';
import { z } from 'zod';
import type { SettingsBase } from './core/settings/live-settings.ts';
import type { HostedSettings } from './platform/identity/hosted/hosted-settings.ts';
import { originsOf } from './platform/identity/origins.ts';
import { StartError } from './platform/process/start-error.ts';

/** A setting of its own kind: its value is a secret. */
const TELEGRAM_BOT = 'telegram_bot';
const LOCKABLE = [...SETTING_NAMES, TELEGRAM_BOT] as const;

/** As the queue reads it: five fields, to the minute. */
function isSchedule(text: string): boolean {
  try {
    CronExpressionParser.parse(text, { strict: false });
    return text.trim().split(/\s+/).length === 5;
  } catch {
    return false;
  }
}

/** All environment variables. This file is the only reader of `process.env`. */
const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  /** Connection of the application. Unset: the embedded database and the demo world. */
  DATABASE_URL: z.string().optional(),
  /** The same database past a pooler, for what lasts longer than a transaction; DATABASE_URL when unset. */
  DATABASE_DIRECT_URL: z.string().optional(),
  /** 1: no prepared statement has a name, for poolers that do not know them. */
  DATABASE_UNNAMED_STATEMENTS: z.enum(['0', '1']).default('0'),
  /** Connection of the owner of the schema, for migrations; DATABASE_DIRECT_URL or DATABASE_URL when unset. */
  DATABASE_OWNER_URL: z.string().optional(),
  /** Connections per process. More than two per database core make all of them slower. */
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(() => Math.max(4, 2 * availableParallelism())),
  /** Folder for secrets and, in the demo world, the database. */
  COPYDESK_DATA_DIR: z.string().optional(),
  /** Set by `npm start` for its children when it starts the demo world. */
  COPYDESK_DEMO: z.enum(['0', '1']).default('0'),
  /** Public origin of the console, as in https://console.example.com. */
  PUBLIC_URL: z.url().optional(),
  /** The target for signed-in people without the admin flag. */
  EXTERNAL_URL: z.url().default('https://example.com/'),
  /** Block explorer for the console's transaction links. */
  EXPLORER_URL: z.url({ protocol: /^https?$/ }).default('https://bscscan.com'),
  /** Number of proxies in front of us that set X-Forwarded-For. 0: the socket's address is the client's. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(5).default(0),
  SMTP_URL: z.string().optional(),
  SMTP_FROM: z.string().default('Copydesk <no-reply@localhost>'),
  BETTER_AUTH_SECRET: z.string().min(32).optional(),
  AUDIT_KEY: z.string().min(32).optional(),
  /** Wraps the secrets of exchange accounts; unset: a file below the data folder. */
  CREDENTIALS_KEY: z.string().min(32).optional(),
  /** Other keys that may wrap stored secrets, now or soon, separated by commas. */
  CREDENTIALS_OTHER_KEYS: z.string().default(''),
  /** Finds a key that is already connected. It never changes, because fingerprints depend on it. */
  CREDENTIALS_INDEX_KEY: z.string().min(32).optional(),
  /** 1: only super admins may see the secrets of exchange accounts. A provider can also require this for its own. */
  REVEAL_SUPER_ONLY: z.enum(['0', '1']).default('0'),
  /** Address of each exchange, as in http://127.0.0.1:4001; unset: the real one. */
  EXCHANGE_BYBIT_URL: z.url().optional(),
  EXCHANGE_BINANCE_URL: z.url().optional(),
  EXCHANGE_OKX_URL: z.url().optional(),
  EXCHANGE_KUCOIN_URL: z.url().optional(),
  EXCHANGE_HYPERLIQUID_URL: z.url().optional(),
  /** HTTP proxy for requests to the exchanges. */
  EXCHANGE_PROXY_URL: z.url().optional(),
  /** Total time of an exchange for a read that an operator waits for: the console gives up after 10 s. */
  EXCHANGE_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(7_000),
  /** Timeout of one worker request. */
  EXCHANGE_WORKER_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(10_000),
  /**
   * Parts of each exchange's documented limit for all API processes together and for all workers together. The rest is
   * for other programs behind the same address.
   */
  EXCHANGE_API_SHARE: z.coerce.number().min(0.01).max(1).default(0.2),
  EXCHANGE_WORKER_SHARE: z.coerce.number().min(0.01).max(1).default(0.4),
  /** Number of API processes that share EXCHANGE_API_SHARE. */
  API_PROCESSES: z.coerce.number().int().min(1).default(1),
  /** Number of workers that share EXCHANGE_WORKER_SHARE and TELEGRAM_PER_SECOND. */
  WORKER_PROCESSES: z.coerce.number().int().min(1).default(1),
  /** Interval at which the workers read every exchange account. */
  READING_EVERY_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(8 * 60_000),
  /** Extended public key of the account m/44'/60'/0', from which traders' deposit addresses are derived. */
  DEPOSIT_ACCOUNT_KEY: z.string().optional(),
  /** Schedule of invoicing: a cron expression, UTC. */
  INVOICING_CRON: z
    .string()
    .refine(isSchedule, 'must be a cron expression of five fields, as in 0 6 * * 1')
    .default('0 6 * * 1'),
  /** Amount in USDT above which another super admin must approve a distribution; unset: never. */
  APPROVAL_ABOVE_USDT: z
    .string()
    .regex(/^(\d{1,15}(\.\d{1,18})?)?$/)
    .optional(),
  /** Minimum hours as a super admin before approving a distribution. */
  APPROVER_MIN_HOURS: z.coerce.number().int().min(0).max(168).default(SETTING_DEFAULTS.approver_min_hours),
  /** Commission of new communities, as a fraction. */
  COMMISSION_RATE: z
    .string()
    .regex(/^(0(\.\d{1,4})?|1)$/)
    .default(SETTING_DEFAULTS.commission_rate),
  /** Days from an invoice's creation to its due date. */
  INVOICE_DUE_DAYS: z.coerce.number().int().min(1).max(365).default(SETTING_DEFAULTS.invoice_due_days),
  /** Percentage of a sale by a community's bot for the community; the rest is the platform's. */
  BOT_COMMUNITY_PERCENTAGE: z
    .string()
    .regex(/^(\d{1,2}(\.\d{1,2})?|100)$/)
    .default(SETTING_DEFAULTS.bot_community_percentage),
  /** How the platform's part of invoices is shared among its own recipients. */
  HEXMOUNT_WEIGHT: z.coerce.number().int().min(0).max(1_000).default(1),
  SIXK_WEIGHT: z.coerce.number().int().min(0).max(1_000).default(1),
  /** Addresses from which exchanges see our requests, separated by commas. */
  EGRESS_ADDRESSES: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((address) => address !== ''))
    .pipe(z.array(z.union([z.ipv4(), z.ipv6()]))),
  /** Prices of a community's subscription, USD; unset: the plan is not offered. */
  PLAN_MONTHLY_USD: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,2})?$/)
    .optional(),
  PLAN_YEARLY_USD: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,2})?$/)
    .optional(),
  /** Key of the account at Stripe that bills communities; unset: subscriptions cannot be bought. */
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{8,}$/, 'must be a key of Stripe')
    .optional(),
  /** Sign Stripe's webhooks, separated by commas: two while one is replaced. */
  STRIPE_WEBHOOK_SECRETS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((secret) => secret.trim() || []))
    .pipe(z.array(z.string().min(8, 'must be secrets of Stripe, separated by commas'))),
  /** Ids of the prices at Stripe: they charge what PLAN_MONTHLY_USD and PLAN_YEARLY_USD show. */
  STRIPE_PRICE_MONTHLY: z.string().regex(/^\w+$/, 'must be the id of a price').optional(),
  STRIPE_PRICE_YEARLY: z.string().regex(/^\w+$/, 'must be the id of a price').optional(),
  STRIPE_API_URL: z.url({ protocol: /^https?$/ }).default('https://api.stripe.com'),
  STRIPE_TIMEOUT_MS: z.coerce.number().int().min(100).max(20_000).default(5_000),
  /** Days for which a community keeps its plan while a payment is missing. */
  BILLING_GRACE_DAYS: z.coerce.number().int().min(0).max(90).default(BILLING_GRACE_DAYS),
  /** Key of the instance at Clerk that signs people in, for browsers; unset: people sign in with passwords of ours. */
  CLERK_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_[A-Za-z0-9+/=]+$/, 'must be a publishable key of Clerk')
    .optional(),
  /** Public key of its tokens, PEM; line breaks may be written as \\n. */
  CLERK_JWT_KEY: z
    .string()
    .transform((text) => text.replaceAll('\\n', '\n').trim())
    .refine((text) => /^-----BEGIN PUBLIC KEY-----[\s\S]+-----END PUBLIC KEY-----$/.test(text), {
      message: 'must be a public key in PEM',
    })
    .optional(),
  /** The `iss` of its tokens: its frontend API, as in https://clerk.example.com. */
  CLERK_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  CLERK_SECRET_KEY: z
    .string()
    .regex(/^sk_[\x21-\x7e]{8,}$/, 'must be a secret key of Clerk')
    .optional(),
  /** Signs its webhooks. */
  CLERK_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/=]{16,}$/, 'must be a signing secret of Clerk')
    .optional(),
  /** Address or path below which a proxy of yours serves its frontend API; unset: browsers call it directly. */
  CLERK_PROXY_URL: z
    .string()
    .regex(/^(https?:\/\/[^\s/]+)?\/[\w./-]*$|^https?:\/\/[^\s/]+$/, 'must be an address or a path')
    .optional(),
  CLERK_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Origins whose tokens count, separated by commas; unset: those of the console. */
  CLERK_AUTHORIZED_PARTIES: z
    .string()
    .transform((text) => text.split(',').flatMap((origin) => origin.trim() || []))
    .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1))
    .optional(),
  /** Settings that the console may not change, separated by commas, or `all`. */
  LOCKED_SETTINGS: z
    .string()
    .default('')
    .transform((text) => (text === 'all' ? LOCKABLE : text.split(',').filter((name) => name !== '')))
    .pipe(z.array(z.enum(LOCKABLE)))
    // Levels are rows of the database, which no variable gives.
    .transform((names) => names.filter((name) => name !== 'vip_tiers')),
  /** Token of the bot that messages traders; unset: messages fail, and can be retried once it is set. */
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^(\d+:[\w-]+)?$/)
    .optional(),
  TELEGRAM_API_URL: z.url().default('https://api.telegram.org'),
  TELEGRAM_TIMEOUT_MS: z.coerce.number().int().min(100).max(20_000).default(10_000),
  /** Maximum messages per second of all workers together: Telegram allows about 30. */
  TELEGRAM_PER_SECOND: z.coerce.number().int().min(1).max(1_000).default(25),
  /** JSON-RPC servers of the chain, tried in this order, separated by commas; unset: no chain is read. */
  CHAIN_RPC_URLS: z.string().default(''),
  CHAIN_ID: z.coerce.number().int().min(1).default(56),
  /** The token of invoices and payments: USDT on BNB Smart Chain. */
  TOKEN_ADDRESS: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .default('0x55d398326f99059fF775485246999027B3197955'),
  /** Number of later blocks that make a block final; unset: the chain's `finalized` tag decides. */
  CHAIN_CONFIRMATIONS: z.coerce.number().int().min(1).max(10_000).optional(),
  CHAIN_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(10_000),
  /** Blocks per request: servers limit the range. */
  CHAIN_BLOCKS_AT_ONCE: z.coerce.number().int().min(1).max(100_000).default(500),
  /** Whether personas of a new demo world change settings and pay out some of the pending shares. */
  DEMO_FIRST_ACTS: z.enum(['0', '1']).default('1'),
  /** Port of the demo world's chain; unset: any free port. */
  SIMULATORS_PORT_CHAIN: z.coerce.number().int().min(0).max(65_535).default(0),
  /** Port of the demo world's Bybit; unset: any free port. */
  SIMULATORS_PORT_BYBIT: z.coerce.number().int().min(0).max(65_535).default(0),
  /** Port of the demo world's Telegram; unset: any free port. */
  SIMULATORS_PORT_TELEGRAM: z.coerce.number().int().min(0).max(65_535).default(0),
  /** Maximum price of a unit of gas, in wei times 10^9; above it no transaction is signed. */
  CHAIN_MAX_FEE_GWEI: z.coerce.number().int().min(1).max(10_000).default(SETTING_DEFAULTS.chain_max_fee_gwei),
  /** Maximum payout to one recipient at once, and to all within 24 hours, in USDT; unset: no limit. */
  PAYOUT_MAX_PER_TRANSACTION: z.coerce.number().int().min(1).optional(),
  PAYOUT_MAX_PER_DAY: z.coerce.number().int().min(1).optional(),
  /** Hours for which a changed payout address is held, unless another super admin releases it. */
  PAYOUT_ADDRESS_HOLD_HOURS: z.coerce
    .number()
    .int()
    .min(0)
    .max(8_760)
    .default(SETTING_DEFAULTS.payout_address_hold_hours),
  /** Address of the bot that trades the pools; unset: operators confirm that trading has paused and resumed. */
  TRADING_BOT_URL: z.url().optional(),
  /** Signs our requests to the bot. */
  TRADING_BOT_SECRET: z.string().min(16).optional(),
  /** Sign the bot's acknowledgements, separated by commas: two while one is replaced. */
  TRADING_BOT_ACK_SECRETS: z.string().default(''),
  TRADING_BOT_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(10_000),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Port of the Prometheus metrics, on loopback; unset: no listener. */
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /**
   * Before it stops, the API says for this long in /api/ready that it will, and answers on: proxies send new requests
   * elsewhere meanwhile. 0: it stops at once.
   */
  DRAIN_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  /** Maximum requests of one caller per minute. */
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(1_200),
});

export type Config = ReturnType<typeof readConfig>;
/** Name of a configuration variable. */
export type ConfigVariable = keyof z.infer<typeof environment>;

/**
 * Reads the configuration, or throws an error whose message names each wrong variable but none of its values. An empty
 * variable counts as unset: compose files pass `${NAME:-}`, and an empty number would otherwise be zero.
 */
export function readConfig(given: Record<string, string | undefined> = process.env) {
  const env = Object.fromEntries(Object.entries(given).filter(([, value]) => value?.trim()));
  const result = environment.safeParse(env);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new StartError(`The configuration is wrong:\n${lines.join('\n')}`);
  }
  const e = result.data;
  if (e.DATABASE_DIRECT_URL && !e.DATABASE_URL)
    throw new StartError(
      'The configuration is wrong:\n  DATABASE_DIRECT_URL: needs DATABASE_URL, the same database',
    );
  if (e.TRADING_BOT_URL && !e.TRADING_BOT_SECRET)
    throw new StartError('The configuration is wrong:\n  TRADING_BOT_URL: needs TRADING_BOT_SECRET');
  requireWholeBilling(e);
  requireWholeHosted(e);
  return {
    port: e.PORT,
    host: e.HOST,
    databaseUrl: e.DATABASE_URL,
    databaseDirectUrl: e.DATABASE_DIRECT_URL ?? e.DATABASE_URL,
    hasUnnamedStatements: e.DATABASE_UNNAMED_STATEMENTS === '1',
    databaseOwnerUrl: e.DATABASE_OWNER_URL ?? e.DATABASE_DIRECT_URL ?? e.DATABASE_URL,
    databasePool: e.DATABASE_POOL,
    dataDir: e.COPYDESK_DATA_DIR,
    isDemo: e.COPYDESK_DEMO === '1',
    publicUrl: e.PUBLIC_URL,
    externalUrl: e.EXTERNAL_URL,
    explorerUrl: e.EXPLORER_URL.replace(/\/+$/, ''),
    trustedProxies: e.TRUSTED_PROXIES,
    smtpUrl: e.SMTP_URL,
    smtpFrom: e.SMTP_FROM,
    authSecret: e.BETTER_AUTH_SECRET,
    auditKey: e.AUDIT_KEY,
    credentials: {
      key: e.CREDENTIALS_KEY,
      otherKeys: e.CREDENTIALS_OTHER_KEYS.split(',').filter((key) => key !== ''),
      indexKey: e.CREDENTIALS_INDEX_KEY,
      dataDir: e.COPYDESK_DATA_DIR,
    },
    revealSuperOnly: e.REVEAL_SUPER_ONLY === '1',
    exchanges: {
      urls: {
        bybit: e.EXCHANGE_BYBIT_URL,
        binance: e.EXCHANGE_BINANCE_URL,
        okx: e.EXCHANGE_OKX_URL,
        kucoin: e.EXCHANGE_KUCOIN_URL,
        hyperliquid: e.EXCHANGE_HYPERLIQUID_URL,
      },
      proxyUrl: e.EXCHANGE_PROXY_URL,
      timeoutMs: e.EXCHANGE_TIMEOUT_MS,
      workerTimeoutMs: e.EXCHANGE_WORKER_TIMEOUT_MS,
      apiShare: e.EXCHANGE_API_SHARE / e.API_PROCESSES,
      workerShare: e.EXCHANGE_WORKER_SHARE / e.WORKER_PROCESSES,
    },
    readingEveryMs: e.READING_EVERY_MS,
    telegram: {
      token: e.TELEGRAM_BOT_TOKEN || undefined,
      apiUrl: e.TELEGRAM_API_URL,
      timeoutMs: e.TELEGRAM_TIMEOUT_MS,
      perSecond: Math.max(1, Math.floor(e.TELEGRAM_PER_SECOND / e.WORKER_PROCESSES)),
      /** Of a bot of a community: one worker writes for it at a time. */
      perBotPerSecond: e.TELEGRAM_PER_SECOND,
      isLocked: e.LOCKED_SETTINGS.includes(TELEGRAM_BOT),
    },
    depositAccountKey: e.DEPOSIT_ACCOUNT_KEY,
    invoicingCron: e.INVOICING_CRON,
    settings: settingsBase(e, env),
    chain: {
      rpcUrls: e.CHAIN_RPC_URLS.split(',').filter((url) => url !== ''),
      chainId: e.CHAIN_ID,
      tokenAddress: e.TOKEN_ADDRESS,
      confirmations: e.CHAIN_CONFIRMATIONS ?? null,
      timeoutMs: e.CHAIN_TIMEOUT_MS,
      blocksAtOnce: e.CHAIN_BLOCKS_AT_ONCE,
    },
    demoChainPort: e.SIMULATORS_PORT_CHAIN,
    demoBybitPort: e.SIMULATORS_PORT_BYBIT,
    demoTelegramPort: e.SIMULATORS_PORT_TELEGRAM,
    demoActs: e.DEMO_FIRST_ACTS === '1',
    tradingBot: {
      ...(e.TRADING_BOT_URL && { url: e.TRADING_BOT_URL }),
      ...(e.TRADING_BOT_SECRET && { secret: e.TRADING_BOT_SECRET }),
      ackSecrets: e.TRADING_BOT_ACK_SECRETS.split(',').filter((secret) => secret !== ''),
      timeoutMs: e.TRADING_BOT_TIMEOUT_MS,
    },
    hosted: hostedOf(e),
    billing: billingOf(e),
    billingGraceDays: e.BILLING_GRACE_DAYS,
    logLevel: e.LOG_LEVEL,
    metricsPort: e.METRICS_PORT,
    drainMs: e.DRAIN_MS,
    rateLimitPerMinute: e.RATE_LIMIT_PER_MINUTE,
  };
}

/** Keys of Stripe without prices, or prices without a webhook, would take money and never notice. */
function requireWholeBilling(e: z.infer<typeof environment>): void {
  const isGiven = {
    STRIPE_SECRET_KEY: e.STRIPE_SECRET_KEY !== undefined,
    STRIPE_WEBHOOK_SECRETS: e.STRIPE_WEBHOOK_SECRETS.length > 0,
    STRIPE_PRICE_MONTHLY: e.STRIPE_PRICE_MONTHLY !== undefined,
    STRIPE_PRICE_YEARLY: e.STRIPE_PRICE_YEARLY !== undefined,
  };
  const missing = Object.entries(isGiven).flatMap(([name, given]) => (given ? [] : name));
  if (missing.length > 0 && missing.length < Object.keys(isGiven).length)
    throw new StartError(
      `The configuration is wrong:\n${missing.map((name) => `  ${name}: is missing beside the other settings of Stripe`).join('\n')}`,
    );
}

/** With a part of its settings no person could sign in, or bans would never arrive. */
function requireWholeHosted(e: z.infer<typeof environment>): void {
  const optional = ['CLERK_PROXY_URL', 'CLERK_API_URL', 'CLERK_AUTHORIZED_PARTIES'] as const;
  const missing = HOSTED_VARIABLES.filter((name) => e[name] === undefined);
  const isWanted = missing.length < HOSTED_VARIABLES.length || optional.some((name) => e[name] !== undefined);
  if (isWanted && missing.length > 0)
    throw new StartError(
      `The configuration is wrong:\n${missing.map((name) => `  ${name}: is missing beside the other settings of Clerk`).join('\n')}`,
    );
}

const HOSTED_VARIABLES = [
  'CLERK_PUBLISHABLE_KEY',
  'CLERK_JWT_KEY',
  'CLERK_ISSUER',
  'CLERK_SECRET_KEY',
  'CLERK_WEBHOOK_SECRET',
] as const;

/** Null: people sign in with accounts of ours. */
function hostedOf(e: z.infer<typeof environment>): HostedSettings | null {
  const [publishableKey, jwtKey, issuer, secretKey, webhookSecret] = HOSTED_VARIABLES.map((name) => e[name]);
  if (!publishableKey || !jwtKey || !issuer || !secretKey || !webhookSecret) return null;
  return {
    publishableKey,
    jwtKey,
    issuer: issuer.replace(/\/+$/, ''),
    secretKey,
    webhookSecret,
    proxyUrl: e.CLERK_PROXY_URL ?? null,
    apiUrl: e.CLERK_API_URL ?? null,
    authorizedParties: e.CLERK_AUTHORIZED_PARTIES ?? originsOf(e.PUBLIC_URL, e.PORT).trusted,
  };
}

/** Null: subscriptions are not set up. */
function billingOf(e: z.infer<typeof environment>) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PRICE_MONTHLY: monthly, STRIPE_PRICE_YEARLY: yearly } = e;
  if (secretKey === undefined || monthly === undefined || yearly === undefined) return null;
  return {
    secretKey,
    webhookSecrets: e.STRIPE_WEBHOOK_SECRETS,
    prices: { monthly, yearly },
    apiUrl: e.STRIPE_API_URL,
    timeoutMs: e.STRIPE_TIMEOUT_MS,
  };
}

/** The variables that set the defaults of platform settings. */
const SETTING_VARIABLES: Partial<Record<SettingName, readonly ConfigVariable[]>> = {
  approval_above_usdt: ['APPROVAL_ABOVE_USDT'],
  approver_min_hours: ['APPROVER_MIN_HOURS'],
  payout_max_per_transaction: ['PAYOUT_MAX_PER_TRANSACTION'],
  payout_max_per_day: ['PAYOUT_MAX_PER_DAY'],
  payout_address_hold_hours: ['PAYOUT_ADDRESS_HOLD_HOURS'],
  chain_max_fee_gwei: ['CHAIN_MAX_FEE_GWEI'],
  platform_weights: ['HEXMOUNT_WEIGHT', 'SIXK_WEIGHT'],
  commission_rate: ['COMMISSION_RATE'],
  invoice_due_days: ['INVOICE_DUE_DAYS'],
  bot_community_percentage: ['BOT_COMMUNITY_PERCENTAGE'],
  egress_addresses: ['EGRESS_ADDRESSES'],
  community_plans: ['PLAN_MONTHLY_USD', 'PLAN_YEARLY_USD'],
};

function settingsBase(e: z.infer<typeof environment>, env: Record<string, string | undefined>): SettingsBase {
  if (e.HEXMOUNT_WEIGHT + e.SIXK_WEIGHT === 0)
    throw new StartError('The configuration is wrong:\n  SIXK_WEIGHT: one of the weights must be above 0');
  return {
    defaults: {
      ...SETTING_DEFAULTS,
      approval_above_usdt: e.APPROVAL_ABOVE_USDT || null,
      approver_min_hours: e.APPROVER_MIN_HOURS,
      payout_max_per_transaction: e.PAYOUT_MAX_PER_TRANSACTION ?? null,
      payout_max_per_day: e.PAYOUT_MAX_PER_DAY ?? null,
      payout_address_hold_hours: e.PAYOUT_ADDRESS_HOLD_HOURS,
      chain_max_fee_gwei: e.CHAIN_MAX_FEE_GWEI,
      platform_weights: { hexmount: e.HEXMOUNT_WEIGHT, sixk: e.SIXK_WEIGHT },
      commission_rate: e.COMMISSION_RATE,
      invoice_due_days: e.INVOICE_DUE_DAYS,
      bot_community_percentage: e.BOT_COMMUNITY_PERCENTAGE,
      egress_addresses: e.EGRESS_ADDRESSES,
      community_plans: { monthly: e.PLAN_MONTHLY_USD ?? null, yearly: e.PLAN_YEARLY_USD ?? null },
    },
    given: SETTING_NAMES.filter((name) =>
      SETTING_VARIABLES[name]?.some((variable) => env[variable] !== undefined),
    ),
    locked: e.LOCKED_SETTINGS.filter((name) => name !== TELEGRAM_BOT),
  };
}

/**
 * The BIP-32 seed of all wallets, 16 to 64 bytes as hexadecimal text; null when unset. Only the worker reads it.
 * @throws StartError also without a chain: the seed would sign nothing, and orders would wait without a word
 */
export function readWalletSeed(
  { chain }: Pick<Config, 'chain'>,
  env: Record<string, string | undefined> = process.env,
): Uint8Array | null {
  const text = env.WALLET_SEED;
  if (!text) return null;
  if (chain.rpcUrls.length === 0)
    throw new StartError(
      'WALLET_SEED needs CHAIN_RPC_URLS: the servers of the chain that transfers are sent to',
    );
  if (!/^([0-9a-fA-F]{2}){16,64}$/.test(text))
    throw new StartError('WALLET_SEED must be 16 to 64 bytes as hexadecimal text');
  return Buffer.from(text, 'hex');
}

/** Credentials for `npm run exchange`; on a command line they would stay in the shell's history. */
export function readExchangeSecrets(env: Record<string, string | undefined> = process.env) {
  return {
    api_key: env.EXCHANGE_KEY,
    secret_key: env.EXCHANGE_SECRET,
    passphrase: env.EXCHANGE_PASSPHRASE,
    agent_private_key: env.EXCHANGE_AGENT_KEY,
  };
}
