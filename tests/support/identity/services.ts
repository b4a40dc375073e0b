import { createHash } from 'node:crypto';
import {
  createIdentity,
  type IdentityOptions,
} from '../../../apps/server/src/platform/identity/create-identity.ts';
import type { PasswordHashes } from '../../../apps/server/src/platform/identity/embedded/passwords/password-hashes.ts';
import type {
  EmbeddedIdentity,
  HostedIdentity,
} from '../../../apps/server/src/platform/identity/identity.ts';

/** A real hash takes 80 ms of processor time, and the tests need two thousand. Programs that tests start use real ones. */
const CHEAP_HASHES: PasswordHashes = {
  hash: async (password) => `test:${createHash('sha256').update(password).digest('hex')}`,
  verify: async ({ hash, password }) => hash === (await CHEAP_HASHES.hash(password)),
  isOutdated: (hash) => !hash.startsWith('test:'),
};

const DEFAULTS = {
  passwordHashes: CHEAP_HASHES,
  secret: 'test-secret-0123456789-0123456789-0123456789',
  dataDir: undefined,
  publicUrl: undefined,
  port: 3000,
  mailer: null,
  now: () => new Date(),
};

/** The embedded identity service as the API composes it. */
export async function createEmbedded(
  options: Pick<IdentityOptions, 'databaseUrl' | 'log'> & Partial<IdentityOptions>,
): Promise<EmbeddedIdentity> {
  const identity = await createIdentity({ ...DEFAULTS, ...options });
  if (identity.kind !== 'embedded') throw new Error('Without configuration the identity is embedded.');
  return identity;
}

/** The hosted identity service as the API composes it. */
export async function createHosted(
  options: Pick<IdentityOptions, 'databaseUrl' | 'log'> & Partial<IdentityOptions>,
  hosted: NonNullable<IdentityOptions['hosted']>,
): Promise<HostedIdentity> {
  const identity = await createIdentity({ ...DEFAULTS, ...options, hosted });
  if (identity.kind !== 'hosted') throw new Error('A hosted service is configured.');
  return identity;
}
