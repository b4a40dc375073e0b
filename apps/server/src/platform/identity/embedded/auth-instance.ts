import { createHash } from 'node:crypto';
import { PASSWORD_MAX, PASSWORD_MIN } from '@copydesk/domain/access';
import { betterAuth } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { jwt, twoFactor } from 'better-auth/plugins';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Statements } from '../../db/statements.ts';
import type { Logger } from '../../observe/log.ts';
import type { Mailer } from '../../work/mail/mailer.ts';
import type { OnAccountChange } from '../account-change.ts';
import { CLIENT_ADDRESS_HEADER } from '../client-address.ts';
import type { Origins } from '../origins.ts';
import { IDENTITY_SCHEMA } from '../tables.ts';
import {
  ACCOUNT_COLUMNS,
  JWKS_SCHEMA,
  RATE_LIMIT_TABLE,
  SESSION_COLUMNS,
  SESSION_FACTORS,
  TWO_FACTOR_SCHEMA,
  USER_COLUMNS,
  VERIFICATION_COLUMNS,
} from './auth-columns.ts';
import { createAuthHooks } from './auth-hooks.ts';
import { AUTH_BASE_PATH, CLOSED_PATHS } from './auth-paths.ts';
import { recordDatabaseFailures } from './database-failures.ts';
import { createPasskeyPlugin, relyingPartyOf } from './passkeys/passkey-plugin.ts';
import type { PasswordHashes } from './passwords/password-hashes.ts';
import { createResetMail, forgetVerifications } from './passwords/reset-mail.ts';
import { backupCodeStorage } from './second-factor/backup-codes.ts';
import type { UsedCodes, VerifyCode } from './second-factor/second-factor.ts';
import { createSessionHooks } from './sessions/session-hooks.ts';
import { readTokenClaims } from './sessions/token-claims.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

/** `iss` and `aud` of our tokens. */
export const TOKEN_ISSUER = 'copydesk';
/** How long a rotated signing key still verifies; far more than the 5 minutes of a token. */
export const KEY_GRACE_S = 24 * 3600;
/** The cookie outlives the session, which the database ends: a session that goes on keeps its cookie. */
const COOKIE_S = 30 * 24 * 3600;

export interface AuthDeps {
  pool: pg.Pool;
  statements: Statements;
  secret: string;
  origins: Origins;
  mailer: Mailer | null;
  log: Logger;
  now: () => Date;
  throttle: SignInThrottle;
  usedCodes: UsedCodes;
  verifyCode: VerifyCode;
  passwordHashes: PasswordHashes;
  /** Longest life of a session. */
  maxSessionS: number;
  onSessionEnded: (sessionId: string) => void;
  onAccountChange: OnAccountChange;
}

/** better-auth as Copydesk configures it: no sign-up, short tokens, and our checks around the library's. */
export function createAuth(deps: AuthDeps) {
  const { pool, statements, secret, origins, mailer, log, now, onSessionEnded, onAccountChange } = deps;
  const { throttle, usedCodes, passwordHashes, maxSessionS } = deps;
  return betterAuth({
    appName: 'Copydesk',
    baseURL: origins.main,
    basePath: AUTH_BASE_PATH,
    secret,
    telemetry: { enabled: false },
    database: {
      db: new Kysely({ dialect: new PostgresDialect({ pool: recordDatabaseFailures(pool) }) }),
      type: 'postgres',
      schemaName: IDENTITY_SCHEMA,
    },
    trustedOrigins: origins.trusted,
    disabledPaths: CLOSED_PATHS,
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: passwordHashes,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 3600,
      sendResetPassword: createResetMail({ statements, mailer, log, origin: origins.main, now }),
      async onPasswordReset({ user }, request) {
        const address = request?.headers.get(CLIENT_ADDRESS_HEADER) ?? '';
        await throttle.clear({ account: user.email, address });
        await forgetVerifications(statements, user.id);
        await onAccountChange({ action: 'user.password_reset', user });
      },
    },
    user: { fields: USER_COLUMNS },
    account: { fields: ACCOUNT_COLUMNS },
    // Hashed, so that a leaked table does not allow a password reset.
    verification: { fields: VERIFICATION_COLUMNS, storeIdentifier: 'hashed' },
    session: {
      fields: SESSION_COLUMNS,
      additionalFields: SESSION_FACTORS,
      expiresIn: COOKIE_S,
      // `renewSession` prolongs sessions up to a limit; the library would do so without end.
      disableSessionRefresh: true,
      freshAge: 600,
      // A self-contained cookie would outlive its session.
      cookieCache: { enabled: false },
    },
    rateLimit: {
      enabled: true,
      storage: 'database',
      ...RATE_LIMIT_TABLE,
      customRules: {
        '/sign-in/email': { window: 60, max: 20 },
        // The library's own limit is 3 in ten seconds, for right codes as well. Ours counts wrong ones by account.
        '/two-factor/verify-totp': { window: 60, max: 20 },
        '/two-factor/verify-backup-code': { window: 60, max: 20 },
        '/passkey/generate-authenticate-options': { window: 60, max: 20 },
        '/passkey/verify-authentication': { window: 60, max: 20 },
        // Read at every start of the console and every five minutes; the server's general limit covers these reads.
        '/get-session': false,
        '/token': false,
        '/jwks': false,
      },
    },
    advanced: {
      database: { generateId: 'uuid' },
      // Browsers share the cookies of a host between its ports, and so between installations.
      cookiePrefix: `copydesk-${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`,
      useSecureCookies: origins.isSecure,
      defaultCookieAttributes: { sameSite: 'strict', httpOnly: true, secure: origins.isSecure },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      // Explicit, because the library switches these checks off when it detects a test run.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    hooks: createAuthHooks(deps),
    databaseHooks: createSessionHooks({ statements, usedCodes, now, maxSessionS, onSessionEnded }),
    logger: { level: 'error', log: (_level, message) => log.warn(message) },
    onAPIError: {
      // Refusals are answers. Other errors are rethrown, for the server to log and to answer.
      onError: (error) => {
        if (!isAPIError(error)) throw error;
      },
    },
    plugins: [
      jwt({
        jwks: { keyPairConfig: { alg: 'EdDSA' }, rotationInterval: 30 * 24 * 3600, gracePeriod: KEY_GRACE_S },
        jwt: {
          issuer: TOKEN_ISSUER,
          audience: TOKEN_ISSUER,
          expirationTime: '5m',
          definePayload: ({ session }) => readTokenClaims(statements, session.id, now()),
        },
        disableSettingJwtHeader: true,
        schema: JWKS_SCHEMA,
      }),
      twoFactor({
        issuer: 'Copydesk',
        schema: TWO_FACTOR_SCHEMA,
        backupCodeOptions: { storeBackupCodes: backupCodeStorage(secret) },
      }),
      createPasskeyPlugin({ statements, relyingParty: relyingPartyOf(origins) }),
    ],
  });
}

export type Auth = ReturnType<typeof createAuth>;
