import { isRecentlyAuthenticated } from '@copydesk/domain/access';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { createStatements } from '../../db/statements.ts';
import type { Logger } from '../../observe/log.ts';
import { Refusal } from '../../refusal.ts';
import { createAccessNews } from '../access-news.ts';
import type { HostedIdentity } from '../identity.ts';
import { verifyBearer } from '../verified-tokens.ts';
import { type HostedDirectory, HostedError } from './hosted-directory.ts';
import { createHostedOrganizations } from './hosted-organizations.ts';
import { type AdmitUser, createHostedPrincipals } from './hosted-principals.ts';
import type { HostedSettings } from './hosted-settings.ts';
import { createHostedTokenVerifier } from './verify-hosted-token.ts';

export interface HostedIdentityOptions {
  /** Connections to the tables of signing in; the caller ends them. */
  pool: pg.Pool;
  /** For listening. */
  directUrl: string;
  settings: HostedSettings;
  directory: HostedDirectory;
  /** Called for a user who is no person of ours yet. */
  admit: AdmitUser;
  log: Logger;
  now: () => Date;
}

/** People who sign in at a hosted service, with rights of ours. Their tokens are checked without asking it. */
export function createHostedIdentity(options: HostedIdentityOptions): HostedIdentity {
  const { pool, settings, directory, log, now } = options;
  const admit = createAdmissions(options.admit, now);
  const statements = createStatements(pool);
  const principals = createHostedPrincipals({ statements, admit, now });
  const organizations = createHostedOrganizations({ statements, admit, now });
  const news = createAccessNews({ url: options.directUrl, log }, principals);
  const verifyToken = createHostedTokenVerifier(settings, { log, now });
  return {
    kind: 'hosted',
    async authenticate(authorization, { fresh = false } = {}) {
      const verdict = await verifyBearer(authorization, verifyToken);
      if (!verdict.ok) return verdict;
      try {
        const { token } = verdict;
        const found = await principals.find(token, fresh);
        if (!found.ok || token.organizationId === undefined) return found;
        return organizations.narrow(found.principal, { id: token.organizationId, hostedId: token.userId });
      } catch (error) {
        if (!(error instanceof HostedError)) throw error;
        log.warn({ err: error }, 'a person could not be admitted');
        throw new Refusal('unavailable');
      }
    },
    forget: principals.forgetUser,
    watch: news.watch,
    reauth: {
      isRecent: (principal, maxAgeMinutes) =>
        principal.kind === 'user' && isRecentlyAuthenticated(principal.factors, now(), maxAgeMinutes),
    },
    directory,
    browser: { publishableKey: settings.publishableKey, proxyUrl: settings.proxyUrl },
    close: news.close,
  };
}

/**
 * The console of a refused person repeats the question with every request, so the answer is reused for this
 * long.
 */
const ASK_AGAIN_MS = 5_000;
const MAX_REMEMBERED = 5_000;

/** Admits each user once at a time, and asks about a refused one every few seconds only. */
function createAdmissions(admit: AdmitUser, now: () => Date): AdmitUser {
  const underWay = new Map<string, Promise<void>>();
  const askedAtMs = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return (hostedId) => {
    const running = underWay.get(hostedId);
    if (running) return running;
    if (now().getTime() - (askedAtMs.get(hostedId) ?? Number.NEGATIVE_INFINITY) < ASK_AGAIN_MS)
      return Promise.resolve();
    const admission = admit(hostedId)
      .then(() => void askedAtMs.set(hostedId, now().getTime()))
      .finally(() => underWay.delete(hostedId));
    underWay.set(hostedId, admission);
    return admission;
  };
}
