import type { CallAnswer } from '@copydesk/contract';
import { DEFAULT_STAFF_ROLE } from '@copydesk/domain/access';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { byName } from '../../platform/db/lists/list-query.ts';

export type ProviderPerson = CallAnswer<'GET /api/providers/{id}/people'>['data'][number];

/** Staff of a provider, by name. The caller has checked that the provider is in scope: people have no row-level security. */
export async function listProviderPeople(tx: Tx, providerId: string): Promise<ProviderPerson[]> {
  const { rows } = await sql<ProviderPerson>`
    SELECT p.id, p.name, p.email, coalesce(p.staff_roles ->> ${providerId}::text, ${DEFAULT_STAFF_ROLE}) AS role,
      p.disabled_at IS NOT NULL AS disabled, p.is_active AS active, p.has_second_factor AS two_factor_enabled,
      app.iso(p.seen_at) AS last_seen_at
    FROM identity.person p
    WHERE p.provider_ids @> ARRAY[${providerId}::uuid] AND p.admin AND NOT p.super
    ORDER BY ${byName('p.name')}, p.id`.execute(tx.sql);
  return rows;
}
