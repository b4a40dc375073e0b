import { call } from '../../lib/api/api.ts';
import type { IdentityClient, LoadedIdentity, PublicConfig } from './identity.ts';

/** Each implementation is a separate chunk, so that none ships with another. */
const implementations: Record<PublicConfig['identity'], () => Promise<IdentityClient>> = {
  embedded: async () => (await import('./embedded/embedded-identity.tsx')).embeddedIdentity,
  hosted: async () => (await import('./hosted/hosted-identity.tsx')).hostedIdentity,
};

export async function loadIdentity(): Promise<LoadedIdentity> {
  const { data: config } = await call('GET /api/config');
  return { config, client: await implementations[config.identity]() };
}
