import type pg from 'pg';
import { APPLICATION_ROLE, createPool } from '../db/connection/connection.ts';
import { createStatements } from '../db/statements.ts';
import { createEmbeddedIdentity, type EmbeddedIdentityOptions } from './embedded/embedded-identity.ts';
import type { HostedIdentityOptions } from './hosted/hosted-identity.ts';
import type { Identity } from './identity.ts';
import { acceptOrganization } from './organization.ts';
import { acceptServiceTokens } from './service-tokens.ts';
import { acceptViewAs } from './view-as.ts';

export interface IdentityOptions extends Omit<EmbeddedIdentityOptions, 'pool'> {
  maxConnections?: number;
  hasUnnamedStatements?: boolean;
  /** Settings of the hosted service where people sign in; null or unset: they sign in with our accounts. */
  hosted?: Pick<HostedIdentityOptions, 'settings' | 'directory' | 'admit'> | null;
}

/**
 * The identity service of this process, with service tokens. The only place that chooses an implementation.
 * @throws when the identity secret is missing or not that of this database
 */
export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const pool = createPool({
    url: options.databaseUrl,
    role: APPLICATION_ROLE,
    maxConnections: options.maxConnections ?? 5,
    applicationName: 'copydesk-identity',
    hasUnnamedStatements: options.hasUnnamedStatements ?? false,
  });
  const identity = await choose(options, pool).catch(async (error) => {
    await pool.end();
    throw error;
  });
  const close = async () => {
    await identity.close();
    await pool.end();
  };
  const more = { statements: createStatements(pool), now: options.now };
  return { ...acceptOrganization(acceptViewAs(acceptServiceTokens(identity, more), more)), close };
}

async function choose({ hosted, ...options }: IdentityOptions, pool: pg.Pool): Promise<Identity> {
  if (!hosted) return createEmbeddedIdentity({ ...options, pool });
  const { log, now, databaseUrl, directUrl = databaseUrl } = options;
  // Loaded here only: without a hosted service, no process has its code.
  const { createHostedIdentity } = await import('./hosted/hosted-identity.ts');
  return createHostedIdentity({ ...hosted, pool, directUrl, log, now });
}
