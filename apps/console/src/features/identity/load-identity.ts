import { call } from '../../lib/api/api.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import type { IdentityClient, LoadedIdentity, PublicConfig } from './identity.ts';

/** Each implementation is a separate chunk, so that none ships with another. */
const implementations: Record<PublicConfig['identity'], () => Promise<IdentityClient>> = {
  embedded: async () => (await import('./embedded/embedded-identity.tsx')).embeddedIdentity,
  hosted: async () => (await import('./hosted/hosted-identity.tsx')).hostedIdentity,
};

/**
 * There is no console without it, so a page that opens while a server restarts tries again after these
 * pauses.
 */
const PAUSES_MS = [1_000, 3_000];

async function readConfig(pauses: readonly number[]): Promise<PublicConfig> {
  try {
    return (await call('GET /api/config')).data;
  } catch (error) {
    const [pause, ...others] = pauses;
    const mayPass = error instanceof ApiError && (error.status === 0 || error.status >= 500);
    if (pause === undefined || !mayPass) throw error;
    await new Promise((resolve) => setTimeout(resolve, pause));
    return readConfig(others);
  }
}

export async function loadIdentity(): Promise<LoadedIdentity> {
  const config = await readConfig(PAUSES_MS);
  return { config, client: await implementations[config.identity]() };
}
