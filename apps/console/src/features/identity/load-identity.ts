import { call } from '../../lib/api.ts';
import type { IdentityClient, LoadedIdentity, PublicConfig } from './identity.ts';

/** Each implementation is a separate chunk, so that none ships with another. A hosted service has none yet. */
const implementations: Partial<Record<PublicConfig['identity'], () => Promise<IdentityClient>>> = {
  embedded: async () => (await import('./embedded/embedded-identity.tsx')).embeddedIdentity,
};

export async function loadIdentity(): Promise<LoadedIdentity> {
  const { data: config } = await call('GET /api/config');
  const load = implementations[config.identity];
  if (!load) throw new Error(`This console does not know the identity service "${config.identity}".`);
  return { config, client: await load() };
}
