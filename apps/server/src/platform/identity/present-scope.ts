import type { Entry } from '@copydesk/contract';
import {
  decideAccess,
  type Flags,
  flagsAt,
  type Scope,
  type StaffRole,
  scopeOf,
} from '@copydesk/domain/access';
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { Refusal } from '../refusal.ts';

interface FlagColumns {
  admin: boolean;
  super: boolean;
  provider_ids: string[];
  staff_roles: Record<string, StaffRole>;
}
/** Of a person `p`. */
const flagColumns = sql`p.admin, p.super, p.provider_ids::text[] AS provider_ids, p.staff_roles`;
const flagsOf = ({ admin, super: isSuper, provider_ids, staff_roles }: FlagColumns): Flags => ({
  admin,
  super: isSuper,
  providerAccess: provider_ids,
  staffRoles: staff_roles,
});

/**
 * The rights that a person has now, whatever a session or a cache says.
 * @returns null when the person is disabled or unknown
 */
export async function readFlags(tx: Tx, userId: string): Promise<Flags | null> {
  const { rows } = await sql<FlagColumns>`
    SELECT ${flagColumns} FROM identity.person p
    WHERE p.id::text = ${userId} AND p.is_active AND p.disabled_at IS NULL`.execute(tx.sql);
  return rows[0] ? flagsOf(rows[0]) : null;
}

/** @throws Refusal unless a person may make a call */
export function requireAccess(
  flags: Flags,
  { permission, capability }: Pick<Entry, 'permission' | 'capability'>,
): void {
  const refusal = decideAccess(permission, flags, capability);
  if (refusal) throw new Refusal(refusal);
}

/**
 * The rows on which a person may make a call now: a worker that does work later uses the person's rights at
 * that time.
 * @param organizationId the one provider in which the person worked; null: all of its own
 * @returns null: none, because the call would be refused
 */
export function presentScope(
  flags: Flags | null,
  { permission, capability }: Pick<Entry, 'permission' | 'capability'>,
  organizationId: string | null,
): Scope | null {
  const present = flags && organizationId !== null ? flagsAt(flags, organizationId) : flags;
  if (!present || decideAccess(permission, present, capability) !== null) return null;
  return scopeOf(present, capability);
}

/**
 * The rows that a caller sees through each of several calls: a role may read invoices of one provider and
 * traders of two.
 * @param entryOf the call that shows each; a caller that may not make it sees none of its rows
 */
export function byPresentScope<Name extends string>(
  flags: Flags,
  names: readonly Name[],
  entryOf: (name: Name) => Pick<Entry, 'permission' | 'capability'>,
): { scope: Scope; names: Name[] }[] {
  const groups = new Map<string, { scope: Scope; names: Name[] }>();
  for (const name of names) {
    const scope = presentScope(flags, entryOf(name), null);
    if (!scope) continue;
    const key = JSON.stringify(scope);
    const group = groups.get(key) ?? { scope, names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** A person whom others may choose. */
export interface NamedPerson {
  id: string;
  name: string;
  email: string;
}

/**
 * The people who may make all of these calls now, on what belongs to a provider, by name.
 * @param providerId null: on what belongs to no provider, which super admins alone see
 */
export async function listWhoMay(
  tx: Tx,
  calls: readonly Pick<Entry, 'permission' | 'capability'>[],
  providerId: string | null,
): Promise<NamedPerson[]> {
  const { rows } = await sql<NamedPerson & FlagColumns>`
    SELECT p.id::text AS id, coalesce(nullif(p.name, ''), p.email) AS name, p.email, ${flagColumns}
    FROM identity.person p
    WHERE p.is_active AND p.disabled_at IS NULL
      AND (p.super OR ${providerId}::uuid = ANY (p.provider_ids))
    ORDER BY 2, 1`.execute(tx.sql);
  return rows.flatMap(({ id, name, email, ...columns }) => {
    const may = calls.every((call) => {
      const scope = presentScope(flagsOf(columns), call, null);
      return scope?.kind === 'all' || (providerId !== null && scope?.providerIds.includes(providerId));
    });
    return may ? [{ id, name, email }] : [];
  });
}
