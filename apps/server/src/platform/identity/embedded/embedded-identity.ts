import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecentlyAuthenticated, SESSION_HOURS } from '@copydesk/domain/access';
import type pg from 'pg';
import { createStatements } from '../../db/statements.ts';
import type { Logger } from '../../observe/log.ts';
import type { Mailer } from '../../work/mail/mailer.ts';
import { createAccessNews } from '../access-news.ts';
import type { OnAccountChange } from '../account-change.ts';
import { CLIENT_ADDRESS_HEADER } from '../client-address.ts';
import type { EmbeddedIdentity, Passwords } from '../identity.ts';
import { originsOf } from '../origins.ts';
import { verifyBearer } from '../verified-tokens.ts';
import { type Auth, createAuth } from './auth-instance.ts';
import { isOpenAuthPath } from './auth-paths.ts';
import { answerUnlessDatabaseFailed } from './database-failures.ts';
import { loadIdentitySecret } from './identity-secret.ts';
import { asRefusal, relyingPartyOf } from './passkeys/passkey-plugin.ts';
import { createPasskeyProofs } from './passkeys/passkey-proofs.ts';
import { type PasswordHashes, passwordHashes } from './passwords/password-hashes.ts';
import { findPasswordProblem, PASSWORD_PROBLEMS } from './passwords/password-policy.ts';
import { createReauthenticate } from './reauthentication.ts';
import { reportRefusal } from './refused-sign-ins.ts';
import { createCountBackupCodes } from './second-factor/backup-codes.ts';
import { createUsedCodes, createVerifyCode } from './second-factor/second-factor.ts';
import { createSessionPrincipals } from './sessions/session-principals.ts';
import { createSigningKeys } from './sessions/signing-keys.ts';
import { createTokenVerifier } from './sessions/verify-token.ts';
import { createSignInThrottle } from './sign-in-throttle.ts';

export interface EmbeddedIdentityOptions {
  /** Connections to the tables of signing in; the caller ends them. */
  pool: pg.Pool;
  /** For the notifications, which need a connection of their own. */
  databaseUrl: string;
  /** For listening; `databaseUrl` when unset. */
  directUrl?: string;
  /** BETTER_AUTH_SECRET; without it, a file in the data folder, generated on the first start. */
  secret: string | undefined;
  dataDir: string | undefined;
  /** Public origin of the console; this machine's at `port` when unset. */
  publicUrl: string | undefined;
  port: number;
  mailer: Mailer | null;
  log: Logger;
  now: () => Date;
  /** Longest life of a session; 12 when unset. */
  sessionHours?: number;
  /** scrypt when unset. */
  passwordHashes?: PasswordHashes;
  /** Waits where an attempt is slowed down. */
  wait?: (ms: number) => Promise<void>;
  /** Receives the changes that people make to their own accounts, for the audit trail. */
  onAccountChange?: OnAccountChange;
}

/**
 * Accounts, sessions and tokens in our own PostgreSQL.
 * @throws when the identity secret is missing or not that of this database
 */
export async function createEmbeddedIdentity(options: EmbeddedIdentityOptions): Promise<EmbeddedIdentity> {
  const { pool, log, now } = options;
  const maxSessionS = (options.sessionHours ?? SESSION_HOURS) * 3600;
  const statements = createStatements(pool);
  const secret = await loadIdentitySecret({
    statements,
    configured: options.secret,
    dataDir: options.dataDir,
  });

  const principals = createSessionPrincipals(statements, now);
  const throttle = createSignInThrottle(statements, { now, wait: options.wait ?? ((ms) => sleep(ms)) });
  const usedCodes = createUsedCodes(statements, now);
  const verifyCode = createVerifyCode({ statements, secret, throttle, usedCodes });
  const origins = originsOf(options.publicUrl, options.port);
  const passkeys = createPasskeyProofs({ statements, relyingParty: relyingPartyOf(origins), now });
  const news = createAccessNews({ url: options.directUrl ?? options.databaseUrl, log }, principals);
  const auth = createAuth({
    pool,
    statements,
    secret,
    throttle,
    usedCodes,
    verifyCode,
    maxSessionS,
    passwordHashes: options.passwordHashes ?? passwordHashes,
    origins,
    mailer: options.mailer,
    log,
    now,
    onSessionEnded: principals.forgetSession,
    async onAccountChange(change) {
      principals.forgetUser(change.user.id);
      await options.onAccountChange?.(change);
    },
  });
  const verifyToken = createTokenVerifier(createSigningKeys(statements, now), now);

  return {
    kind: 'embedded',
    async authenticate(authorization, { fresh = false } = {}) {
      const verdict = await verifyBearer(authorization, verifyToken);
      return verdict.ok ? principals.find(verdict.token, fresh) : verdict;
    },
    forget: principals.forgetUser,
    watch: news.watch,
    async isSetupOpen() {
      const { rows } = await statements.query<{ open: boolean }>(
        `SELECT NOT EXISTS (SELECT FROM identity.user_access a JOIN identity.account c USING (user_id)
           WHERE a.super AND a.disabled_at IS NULL AND c.password IS NOT NULL) AS open`,
      );
      return rows[0]?.open ?? false;
    },
    async handle(request, onRefused = () => {}) {
      if (!isOpenAuthPath(request.url)) return Response.json({ code: 'NOT_FOUND' }, { status: 404 });
      const answer = () => answerUnlessDatabaseFailed(async () => asRefusal(await auth.handler(request)));
      return reportRefusal(request, answer, { statements, onRefused });
    },
    reauth: {
      isRecent: (principal, maxAgeMinutes) =>
        principal.kind === 'user' && isRecentlyAuthenticated(principal.factors, now(), maxAgeMinutes),
      prove: createReauthenticate({ statements, auth, throttle, verifyCode, passkeys, maxSessionS, now }),
      challengePasskey: passkeys.challenge,
    },
    passwords: createPasswords(auth, secret),
    countBackupCodes: createCountBackupCodes({ statements, secret }),
    close: news.close,
  };
}

/** Passwords in the library's own form. */
function createPasswords(auth: Auth, secret: string): Passwords {
  return {
    async hash(password) {
      return (await auth.$context).password.hash(password);
    },
    findProblem: async (password, own) => {
      const problem = await findPasswordProblem(password, own);
      return problem && PASSWORD_PROBLEMS[problem];
    },
    async signIn({ email, password }, clientAddress) {
      const { headers } = await auth.api.signInEmail({
        body: { email, password },
        headers: new Headers({ [CLIENT_ADDRESS_HEADER]: clientAddress }),
        returnHeaders: true,
      });
      const cookies = headers.getSetCookie();
      const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
      const { token } = await auth.api.getToken({ headers: new Headers({ cookie }) });
      return { token, cookies };
    },
    derive: (purpose) => createHmac('sha256', secret).update(purpose).digest('base64url'),
  };
}
