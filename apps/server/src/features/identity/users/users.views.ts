import type { CallAnswer, CallParsed } from '@copydesk/contract';
import type { Flags } from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';

export type User = CallAnswer<'PATCH /api/users/{id}'>['data'];
type Me = CallAnswer<'GET /api/me'>['data'];
type Communities = CallAnswer<'GET /api/users/{id}/communities'>['data'];

const DEFAULT_PAGE = 100;

const wireUser = sql`SELECT u.id, u.email, u.name, a.admin, a.super, a.provider_ids AS provider_access,
    a.disabled_at IS NOT NULL AS disabled, coalesce(u.two_factor_enabled, false) AS two_factor_enabled,
    coalesce(c.password IS NOT NULL, false) AS active, a.confirmed_at IS NOT NULL AS confirmed,
    app.iso(a.confirmed_at) AS confirmed_at, v.email AS confirmed_by, i.email AS invited_by,
    app.iso(u.created_at) AS created_at
  FROM identity."user" u
  JOIN identity.user_access a ON a.user_id = u.id
  LEFT JOIN identity.account c ON c.user_id = u.id AND c.provider_id = 'credential'
  LEFT JOIN identity."user" v ON v.id = a.confirmed_by_id
  LEFT JOIN LATERAL (SELECT s.sponsor_id FROM identity.user_sponsor s
    WHERE s.user_id = u.id ORDER BY s.id DESC LIMIT 1) latest ON true
  LEFT JOIN identity."user" i ON i.id = latest.sponsor_id`;

export async function readUser(tx: Tx, id: string): Promise<User | null> {
  const { rows } = await sql<User>`${wireUser} WHERE u.id::text = ${id}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** Users by creation, filtered by a part of the name or the e-mail address. */
export async function listUsers(
  tx: Tx,
  { search, limit = DEFAULT_PAGE, offset = 0 }: CallParsed<'GET /api/users'>['query'],
): Promise<{ users: User[]; total: number }> {
  const pattern = search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const matching = sql`(${pattern}::text IS NULL OR u.email ILIKE ${pattern} OR u.name ILIKE ${pattern})`;
  const page = sql<User>`${wireUser} WHERE ${matching}
    ORDER BY u.created_at, u.id LIMIT ${limit} OFFSET ${offset}`.execute(tx.sql);
  const counted = sql<{ total: number }>`SELECT count(*)::int AS total FROM identity."user" u
    JOIN identity.user_access a ON a.user_id = u.id WHERE ${matching}`.execute(tx.sql);
  const [{ rows: users }, { rows: counts }] = await Promise.all([page, counted]);
  return { users, total: counts[0]?.total ?? 0 };
}

/** Whether the second factor is on, and the providers of staff. A super admin sees all providers and gets no list. */
export async function readMe(
  tx: Tx,
  { id, flags }: { id: string; flags: Flags },
): Promise<Pick<Me, 'two_factor_enabled' | 'providers'>> {
  const user = sql<{ enabled: boolean }>`SELECT coalesce(two_factor_enabled, false) AS enabled
    FROM identity."user" WHERE id = ${id}`.execute(tx.sql);
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
