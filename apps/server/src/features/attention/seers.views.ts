import { attentionCalls, attentionEntry } from '@copydesk/contract/attention';
import type { StaffRole } from '@copydesk/domain/access';
import type { AttentionKind } from '@copydesk/domain/attention';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { presentScope } from '../../platform/identity/present-scope.ts';

interface Row {
  id: string;
  name: string;
  email: string;
  admin: boolean;
  super: boolean;
  provider_ids: string[];
  staff_roles: Record<string, StaffRole>;
}

/** The people who see an item of a kind and provider and may act on it, by name. */
export async function listSeers(
  tx: Tx,
  kind: AttentionKind,
  providerId: string | null,
): Promise<{ id: string; name: string; email: string }[]> {
  const { rows } = await sql<Row>`
    SELECT p.id::text AS id, coalesce(nullif(p.name, ''), p.email) AS name, p.email, p.admin, p.super,
      p.provider_ids::text[] AS provider_ids, p.staff_roles
    FROM identity.person p
    WHERE p.is_active AND p.disabled_at IS NULL
      AND (p.super OR ${providerId}::uuid = ANY (p.provider_ids))
    ORDER BY 2, 1`.execute(tx.sql);
  return rows.flatMap(
    ({ id, name, email, provider_ids: providerAccess, staff_roles: staffRoles, ...flags }) => {
      const own = { ...flags, providerAccess, staffRoles };
      const may = [attentionEntry(kind), attentionCalls['PUT /api/attention/mark']].every((entry) => {
        const scope = presentScope(own, entry, null);
        return scope?.kind === 'all' || (providerId !== null && scope?.providerIds.includes(providerId));
      });
      return may ? [{ id, name, email }] : [];
    },
  );
}
