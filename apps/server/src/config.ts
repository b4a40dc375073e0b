import { availableParallelism } from 'node:os';
import { z } from 'zod';

/** Everything that the environment may say. This file is the only reader of `process.env`. */
const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  /** Connection of the application. Unset: the embedded database and the demo world. */
  DATABASE_URL: z.string().optional(),
  /** Connection of the owner of the schema, for migrations; DATABASE_URL when unset. */
  DATABASE_OWNER_URL: z.string().optional(),
  /** Connections of one process. More than two for each core of the database make all of them wait longer. */
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(() => Math.max(4, 2 * availableParallelism())),
  /** Folder for secrets and, in the demo world, the database. */
  COPYDESK_DATA_DIR: z.string().optional(),
  /** Set by `npm start` for its children when it brings up the demo world. */
  COPYDESK_DEMO: z.enum(['0', '1']).default('0'),
  /** Origin under which people reach the console, as in https://console.example.com. */
  PUBLIC_URL: z.url().optional(),
  /** Where signed-in people without the admin flag are sent. */
  EXTERNAL_URL: z.url().default('https://example.com/'),
  /** How many proxies in front of us set X-Forwarded-For. 0: the socket's address is the client's. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(5).default(0),
  SMTP_URL: z.string().optional(),
  SMTP_FROM: z.string().default('Copydesk <no-reply@localhost>'),
  BETTER_AUTH_SECRET: z.string().min(32).optional(),
  AUDIT_KEY: z.string().min(32).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Port of the Prometheus metrics, on loopback; unset: no listener. */
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** Requests that one caller may make in a minute. */
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(1_200),
});

export type Config = ReturnType<typeof readConfig>;

/**
 * Reads the configuration, or throws an error whose message names each wrong variable but none of its values.
 */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const result = environment.safeParse(env);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The configuration is wrong:\n${lines.join('\n')}`);
  }
  const e = result.data;
  return {
    port: e.PORT,
    host: e.HOST,
    databaseUrl: e.DATABASE_URL,
    databaseOwnerUrl: e.DATABASE_OWNER_URL ?? e.DATABASE_URL,
    databasePool: e.DATABASE_POOL,
    dataDir: e.COPYDESK_DATA_DIR,
    isDemo: e.COPYDESK_DEMO === '1',
    publicUrl: e.PUBLIC_URL,
    externalUrl: e.EXTERNAL_URL,
    trustedProxies: e.TRUSTED_PROXIES,
    smtpUrl: e.SMTP_URL,
    smtpFrom: e.SMTP_FROM,
    authSecret: e.BETTER_AUTH_SECRET,
    auditKey: e.AUDIT_KEY,
    logLevel: e.LOG_LEVEL,
    metricsPort: e.METRICS_PORT,
    rateLimitPerMinute: e.RATE_LIMIT_PER_MINUTE,
  };
}
