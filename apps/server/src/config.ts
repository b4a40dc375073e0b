import { decimalToUnits } from '@copydesk/domain/money';
import { BOUNDED_SETTINGS } from '@copydesk/domain/settings';
import { billingOf, requireWholeBilling } from './config/billing-config.ts';
import { describeProblem } from './config/describe-problem.ts';
import { environment, VARIABLES_BY_SUBJECT } from './config/environment.ts';
import { hostedOf, requireWholeHosted } from './config/hosted-config.ts';
import { settingsBase } from './config/settings-base.ts';
import { splitList } from './config/split-list.ts';
import { tracingOf } from './config/tracing-config.ts';
import type { Variable } from './config/variable.ts';
import { hardBoundsOf } from './config/worker-bounds.ts';
import { canonicalUrl } from './platform/db/connection/database-url.ts';
import type { ServiceManager } from './platform/process/service-manager.ts';
import { StartError } from './platform/process/start-error.ts';
import { recipientOf } from './platform/secrets/worker-box.ts';

// The only reader of `process.env`. The variables are in config/variables, by subject.

export type Config = ReturnType<typeof readConfig>;
/**
 * Reads the configuration, or throws an error whose message names each wrong variable but none of its values. An empty
 * variable counts as unset: compose files pass `${NAME:-}`, and an empty number would otherwise be zero.
 */
export function readConfig(given: Record<string, string | undefined> = process.env) {
  const env = Object.fromEntries(Object.entries(given).filter(([, value]) => value?.trim()));
  const result = environment.safeParse(env, { error: describeProblem });
  if (!result.success) {
    const lines = result.error.issues.map(({ path, message }) => `  ${String(path[0])}: ${message}`);
    throw new StartError(`The configuration is wrong:\n${lines.join('\n')}`);
  }
  const e = {
    ...result.data,
    ...databaseAddresses(result.data),
    DATABASE_READ_URL: result.data.DATABASE_READ_URL.map((url) => canonical(url, 'DATABASE_READ_URL')),
  };
  if (e.DATABASE_DIRECT_URL && !e.DATABASE_URL)
    throw new StartError(
      'The configuration is wrong:\n  DATABASE_DIRECT_URL: needs DATABASE_URL, the same database',
    );
  if (e.DATABASE_READ_URL.length > 0 && !e.DATABASE_URL)
    throw new StartError(
      'The configuration is wrong:\n  DATABASE_READ_URL: needs DATABASE_URL, the database that its replicas follow',
    );
  if (e.TRADING_BOT_URL && !e.TRADING_BOT_SECRET)
    throw new StartError('The configuration is wrong:\n  TRADING_BOT_URL: needs TRADING_BOT_SECRET');
  requireWholeBilling(e);
  requireWholeHosted(e);
  return {
    port: e.PORT,
    host: e.HOST,
    databaseUrl: e.DATABASE_URL,
    databaseWorkerUrl: e.DATABASE_WORKER_URL,
    databaseOperatorUrl: e.DATABASE_OPERATOR_URL,
    databaseDirectUrl: e.DATABASE_DIRECT_URL ?? e.DATABASE_URL,
    databaseReadUrls: e.DATABASE_READ_URL,
    hasUnnamedStatements: e.DATABASE_UNNAMED_STATEMENTS === '1',
    durability: e.DATABASE_DURABILITY,
    databaseOwnerUrl: e.DATABASE_OWNER_URL ?? e.DATABASE_DIRECT_URL ?? e.DATABASE_URL,
    databaseBackupUrl: e.DATABASE_BACKUP_URL,
    backupAgeRecipients: e.BACKUP_AGE_RECIPIENTS,
    databaseAdminUrl: e.DATABASE_ADMIN_URL,
    postgresBinDir: e.POSTGRES_BIN_DIR,
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
    sessionHours: e.SESSION_HOURS,
    auditKey: e.AUDIT_KEY,
    credentials: {
      key: e.CREDENTIALS_KEY,
      otherKeys: e.CREDENTIALS_OTHER_KEYS,
      indexKey: e.CREDENTIALS_INDEX_KEY,
      dataDir: e.COPYDESK_DATA_DIR,
    },
    poolKeysRecipient: e.POOL_KEYS_RECIPIENT,
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
    },
    depositAccountKey: e.DEPOSIT_ACCOUNT_KEY,
    invoicingCron: e.INVOICING_CRON,
    settings: settingsBase(e, env),
    hardBounds: hardBoundsOf(e),
    chain: {
      rpcUrls: e.CHAIN_RPC_URLS,
      chainId: e.CHAIN_ID,
      tokenAddress: e.TOKEN_ADDRESS,
      confirmations: e.CHAIN_CONFIRMATIONS ?? null,
      timeoutMs: e.CHAIN_TIMEOUT_MS,
      blocksAtOnce: e.CHAIN_BLOCKS_AT_ONCE,
      minTipGwei: e.CHAIN_MIN_TIP_GWEI,
    },
    /** What is paid out of pools because programs asked, in base units. */
    poolTokenLimits: {
      perMemberDay: decimalToUnits(String(e.POOL_TOKEN_MAX_PER_MEMBER_DAY)) ?? 0n,
      perPoolDay: decimalToUnits(String(e.POOL_TOKEN_MAX_PER_POOL_DAY)) ?? 0n,
    },
    demoChainPort: e.SIMULATORS_PORT_CHAIN,
    demoBybitPort: e.SIMULATORS_PORT_BYBIT,
    demoTelegramPort: e.SIMULATORS_PORT_TELEGRAM,
    demoActs: e.DEMO_FIRST_ACTS === '1',
    tradingBot: {
      ...(e.TRADING_BOT_URL && { url: e.TRADING_BOT_URL }),
      ...(e.TRADING_BOT_SECRET && { secret: e.TRADING_BOT_SECRET }),
      ackSecrets: e.TRADING_BOT_ACK_SECRETS,
      timeoutMs: e.TRADING_BOT_TIMEOUT_MS,
    },
    hosted: hostedOf(e),
    billing: billingOf(e),
    billingGraceDays: e.BILLING_GRACE_DAYS,
    logLevel: e.LOG_LEVEL,
    metricsPort: e.METRICS_PORT,
    workerMetricsPort: e.WORKER_METRICS_PORT,
    metricsHost: e.METRICS_HOST,
    metricsToken: e.METRICS_TOKEN ?? null,
    tracing: tracingOf(e),
    drainMs: e.DRAIN_MS,
    rateLimitPerMinute: e.RATE_LIMIT_PER_MINUTE,
    retention: {
      changesHours: e.RETENTION_CHANGES_HOURS,
      messagesDays: e.RETENTION_MESSAGES_DAYS ?? null,
      botMessagesDays: e.RETENTION_BOT_MESSAGES_DAYS,
      readingsDays: e.RETENTION_READINGS_DAYS ?? null,
      keepsTables: e.RETENTION_MONTHS === 'kept',
      refusalsDays: e.RETENTION_REFUSALS_DAYS,
    },
  };
}

const DATABASE_ADDRESSES = [
  'DATABASE_URL',
  'DATABASE_WORKER_URL',
  'DATABASE_OPERATOR_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_BACKUP_URL',
  'DATABASE_ADMIN_URL',
] as const;
type DatabaseAddresses = Partial<Record<(typeof DATABASE_ADDRESSES)[number], string | undefined>>;

function canonical(url: string, name: string): string {
  try {
    return canonicalUrl(url, name);
  } catch {
    return url;
  }
}

/** The addresses as every program reads them. An invalid one is refused by the program that uses it. */
function databaseAddresses(given: DatabaseAddresses): DatabaseAddresses {
  return Object.fromEntries(
    DATABASE_ADDRESSES.flatMap((name) => {
      const url = given[name];
      return url === undefined ? [] : [[name, canonical(url, name)]];
    }),
  );
}

/**
 * The bounds that a worker with the seed holds itself to, whatever the database says.
 * @throws StartError where one is missing. The demo world sets none.
 */
export function requirePayoutBounds({ isDemo, settings }: Pick<Config, 'isDemo' | 'settings'>): void {
  const missing = BOUNDED_SETTINGS.filter((name) => settings.defaults[name] === null);
  if (isDemo || missing.length === 0) return;
  const names = missing.map((name) => name.toUpperCase()).join(', ');
  throw new StartError(
    `WALLET_SEED needs ${names}: the largest payout, the largest sum of a day, and the sum above which two people decide. Set them to about twice what you expect (docs/operations/payouts.md).`,
  );
}

/**
 * The BIP-32 seed of all wallets, 16 to 64 bytes as hexadecimal text; null when unset. Only the worker reads
 * it.
 * @throws StartError also without a chain: the seed would sign nothing, and orders would wait without a notice
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

/**
 * The key of the own hashes of the worker's audit entries; null when unset. Workers read it, and commands on their machine.
 * @throws StartError when it is short, or the key that the API has as well
 */
export function readWorkerAuditKey(
  env: Record<string, string | undefined> = process.env,
): string | undefined {
  const text = env.AUDIT_WORKER_KEY?.trim() ? env.AUDIT_WORKER_KEY : undefined;
  if (text === undefined) return undefined;
  if (text.length < 32) throw new StartError('AUDIT_WORKER_KEY needs 32 characters or more');
  if (text === env.AUDIT_KEY)
    throw new StartError('AUDIT_WORKER_KEY must not be AUDIT_KEY, which the API has as well');
  return text;
}

/**
 * The secret keys that open the keys of pools, the current one first; undefined when unset. Only workers read
 * them.
 * @throws StartError when one is not a secret key, or when keys would be sealed to a public key that they do
 *   not open
 */
export async function readPoolKeyIdentities(
  env: Record<string, string | undefined> = process.env,
): Promise<[string, ...string[]] | undefined> {
  const [first, ...others] = splitList(env.POOL_KEYS_IDENTITY ?? '');
  if (first === undefined) return undefined;
  const identities: [string, ...string[]] = [first, ...others];
  const recipients = await Promise.all(identities.map((identity) => recipientOf(identity)));
  if (recipients.includes(null))
    throw new StartError(
      'POOL_KEYS_IDENTITY must be secret keys of age, AGE-SECRET-KEY-1..., separated by commas',
    );
  const recipient = env.POOL_KEYS_RECIPIENT?.trim();
  if (recipient && !recipients.includes(recipient))
    throw new StartError('POOL_KEYS_RECIPIENT is not the public key of a POOL_KEYS_IDENTITY');
  return identities;
}

/**
 * The configuration of the API.
 * @throws StartError also when the API is given what it must not have, without repeating any of it
 */
export const readApiConfig = (env: Record<string, string | undefined> = process.env): Config =>
  readConfigWithout(env, 'The API', ({ isWithheldFromApi }) => isWithheldFromApi);

/** The configuration of a worker. @throws as `readApiConfig` */
export const readWorkerConfig = (env: Record<string, string | undefined> = process.env): Config =>
  readConfigWithout(env, 'A worker', ({ isWithheldFromWorker }) => isWithheldFromWorker);

function readConfigWithout(
  env: Record<string, string | undefined>,
  program: string,
  isWithheld: (variable: Variable) => true | undefined,
): Config {
  const given = VARIABLES_BY_SUBJECT.flatMap(([, variables]) => Object.entries<Variable>(variables))
    .filter(([name, variable]) => isWithheld(variable) && env[name]?.trim())
    .map(([name]) => name);
  const them = given.length === 1 ? 'it' : 'them';
  if (given.length > 0)
    throw new StartError(
      `${program} must not be given ${given.join(', ')}: whoever takes it over would have ${them}. Move ${them} to a file of the program that reads ${them}, as in docs/operations/set-up.md.`,
    );
  return readConfig(env);
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

/**
 * How Node itself makes outgoing connections: it reads these variables before our code runs, and reports
 * nothing when they have no effect.
 */
export interface OutgoingSettings {
  /** Names of the set variables that name a proxy. */
  proxyVariables: string[];
  /** Whether Node uses them. */
  usesProxies: boolean;
  /** File of further authorities; null: none. */
  extraAuthorities: string | null;
}

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

export function readOutgoing(env: Record<string, string | undefined> = process.env): OutgoingSettings {
  return {
    proxyVariables: PROXY_VARIABLES.filter((name) => env[name]?.trim()),
    usesProxies: env.NODE_USE_ENV_PROXY === '1' || /--use-env-proxy\b/.test(env.NODE_OPTIONS ?? ''),
    extraAuthorities: env.NODE_EXTRA_CA_CERTS?.trim() || null,
  };
}

/** What systemd sets for services of type `notify`; null: it did not start this process. */
export function readServiceManager(
  env: Record<string, string | undefined> = process.env,
): ServiceManager | null {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: microseconds } = env;
  if (!socket) return null;
  return { socket, watchdogMs: microseconds ? Number(microseconds) / 1_000 : null };
}
