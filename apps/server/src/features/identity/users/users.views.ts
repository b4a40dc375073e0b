import type { CallAnswer, CallParsed } from '@copydesk/contract';
import type { Flags } from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';

export type User = CallAnswer<'PATCH /api/users/{id}'>['data'];
type Me = CallAnswer<'GET /api/me'>['data'];
type Communities = CallAnswer<'GET /api/users/{id}/communities'>['data'];

const DEFAULT_PAGE = 100;

const wireUser = sql`SELECT p.id, p.email, p.name, p.admin, p.super, p.provider_ids AS provider_access,
    p.disabled_at IS NOT NULL AS disabled, p.has_second_factor AS two_factor_enabled, p.is_active AS active,
    p.confirmed_at IS NOT NULL AS confirmed, app.iso(p.confirmed_at) AS confirmed_at, v.email AS confirmed_by,
    i.email AS invited_by, app.iso(p.created_at) AS created_at
  FROM identity.person p
  LEFT JOIN identity.person v ON v.id = p.confirmed_by_id
  LEFT JOIN LATERAL (SELECT s.sponsor_id FROM identity.user_sponsor s
    WHERE s.user_id = p.id ORDER BY s.id DESC LIMIT 1) latest ON true
  LEFT JOIN identity.person i ON i.id = latest.sponsor_id`;

export async function readUser(tx: Tx, id: string): Promise<User | null> {
  const { rows } = await sql<User>`${wireUser} WHERE p.id::text = ${id}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** Users by creation, filtered by a part of the name or the e-mail address. */
export async function listUsers(
  tx: Tx,
  { search, limit = DEFAULT_PAGE, offset = 0 }: CallParsed<'GET /api/users'>['query'],
): Promise<{ users: User[]; total: number }> {
  const pattern = search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const matching = sql`(${pattern}::text IS NULL OR p.email ILIKE ${pattern} OR p.name ILIKE ${pattern})`;
  const page = sql<User>`${wireUser} WHERE ${matching}
    ORDER BY p.created_at, p.id LIMIT ${limit} OFFSET ${offset}`.execute(tx.sql);
  const counted = sql<{ total: number }>`SELECT count(*)::int AS total FROM identity.person p
    WHERE ${matching}`.execute(tx.sql);
  const [{ rows: users }, { rows: counts }] = await Promise.all([page, counted]);
  return { users, total: counts[0]?.total ?? 0 };
}

/** Whether the second factor is on, and the providers of staff. A super admin sees all providers and gets no list. */
export async function readMe(
  tx: Tx,
  { id, flags }: { id: string; flags: Flags },
): Promise<Pick<Me, 'two_factor_enabled' | 'providers'>> {
  const user = sql<{ enabled: boolean }>`SELECT has_second_factor AS enabled
    FROM identity.person WHERE id = ${id}`.execute(tx.sql);
  const providers = flags.super
    ? { rows: [] }
    : sql<Me['providers'][number]>`SELECT id, display_name AS name FROM provider
        WHERE id = ANY (${[...flags.providerAccess]}::uuid[]) ORDER BY lower(display_name), id`.execute(
        tx.sql,
      );
  const [{ rows: users }, { rows }] = await Promise.all([user, providers]);
  return { two_factor_enabled: users[0]?.enabled ?? false, providers: rows };
}

/** The communities within the transaction's scope. */
export async function listScopedCommunities(tx: Tx): Promise<Communities> {
  const { rows } = await sql<Communities[number]>`SELECT c.id, c.name FROM community c
    WHERE ${communityInScope(tx, 'c.id')} ORDER BY lower(c.name), c.id`.execute(tx.sql);
  return rows;
}
