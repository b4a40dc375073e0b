import { LRUCache } from 'lru-cache';
import type { Statements } from '../../db/statements.ts';
import type { AuthResult, Principal } from '../identity.ts';
import { narrowTo } from '../organization.ts';
import type { AdmitUser } from './hosted-principals.ts';

/** As long as what is read about a session. */
const MAX_AGE_MS = 30_000;
const MAX_REMEMBERED = 1_000;

/** Organisations of the hosted service in which people work, according to their tokens. */
export interface HostedOrganizations {
  /**
   * Narrows the rights of a person to those at the provider of its organisation. One without a provider is another
   * product's, and changes nothing.
   * @param hostedId the service's id of the person, whose memberships are read when the organisation is unknown here
   * @throws HostedError
   */
  narrow(principal: Principal, organization: { id: string; hostedId: string }): Promise<AuthResult>;
}

export function createHostedOrganizations({
  statements,
  admit,
  now,
}: {
  statements: Statements;
  admit: AdmitUser;
  now: () => Date;
}): HostedOrganizations {
  const remembered = new LRUCache<string, { providerId: string | null; readAtMs: number }>({
    max: MAX_REMEMBERED,
  });
  const read = async (id: string) => {
    const { rows } = await statements.query<{ provider_id: string | null }>({
      name: 'identity-hosted-organization',
      text: 'SELECT provider_id FROM identity.hosted_organization WHERE hosted_id = $1',
      values: [id],
    });
    if (rows[0]) remembered.set(id, { providerId: rows[0].provider_id, readAtMs: now().getTime() });
    return rows[0] ? remembered.get(id) : undefined;
  };
  const find = async (id: string, hostedId: string) => {
    const known = remembered.get(id);
    if (known && now().getTime() - known.readAtMs < MAX_AGE_MS) return known;
    const stored = await read(id);
    if (stored) return stored;
    await admit(hostedId);
    return read(id);
  };
  return {
    async narrow(principal, { id, hostedId }) {
      const found = await find(id, hostedId);
      // Not one of the person's own, or no longer: it is not widened to all of them.
      if (!found) return { ok: false, code: 'organization_ended', caller: principal };
      return found.providerId === null ? { ok: true, principal } : narrowTo(principal, found.providerId);
    },
  };
}
