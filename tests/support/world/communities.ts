import { randomUUID } from 'node:crypto';
import { insertRow, type Owner } from './rows.ts';

/** A community whose traders may select one of these providers, past the checks of the call that creates one. */
export async function addCommunity(
  owner: Owner,
  providerIds: readonly string[],
  changes: Record<string, unknown> = {},
): Promise<string> {
  const id = randomUUID();
  await insertRow(owner, 'community', { id, name: `Community ${id}`, ...changes });
  await owner('INSERT INTO community_provider (community_id, provider_id) SELECT $1, unnest($2::uuid[])', [
    id,
    providerIds,
  ]);
  return id;
}

/** Every provider in every community: an account of any provider may be connected. */
export const linkAllProviders = (owner: Owner) =>
  owner(
    `INSERT INTO community_provider (community_id, provider_id) SELECT c.id, p.id FROM community c, provider p
     ON CONFLICT DO NOTHING`,
  );
