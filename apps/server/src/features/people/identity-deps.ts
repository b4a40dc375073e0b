import type { Database } from '../../platform/db/database.ts';
import type { TotalsCache } from '../../platform/db/lists/totals-cache.ts';
import type { EmbeddedIdentity, Identity } from '../../platform/identity/identity.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { Mailer } from '../../platform/work/mail/mailer.ts';

export interface IdentityDeps {
  db: Database;
  identity: Identity;
  /** Null: links are returned instead of e-mailed. */
  mailer: Mailer | null;
  /** Origin of the console, for links. */
  origin: string;
  totals: TotalsCache;
  isDemo: boolean;
  log: Logger;
  now: () => Date;
}

/** For calls that need passwords of ours. */
export interface EmbeddedIdentityDeps extends IdentityDeps {
  identity: EmbeddedIdentity;
}
