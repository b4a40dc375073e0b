import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { DEFAULT_STAFF_ROLE, type Flags } from '@copydesk/domain/access';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { byName, containing } from '../../../platform/db/lists/list-query.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';
import type { FindNamed, FoundRow } from '../../../platform/http/search-source.ts';
import { listSessions } from '../../../platform/identity/sessions.store.ts';
import { accessVersion } from './users.store.ts';

export type User = CallAnswer<'PATCH /api/users/{id}'>['data'];
type Me = CallAnswer<'GET /api/me'>['data'];
type Communities = CallAnswer<'GET /api/users/{id}/communities'>['data'];

const DEFAULT_PAGE = 100;

const wireUser = sql`SELECT p.id, p.email, p.name, p.admin, p.super, p.provider_ids AS provider_access, p.staff_roles,
    p.disabled_at IS NOT NULL AS disabled, p.has_second_factor AS two_factor_enabled, p.is_active AS active,
    p.confirmed_at IS NOT NULL AS confirmed, app.iso(p.confirmed_at) AS confirmed_at, v.email AS confirmed_by,
    i.email AS invited_by, app.iso(p.created_at) AS created_at, app.iso(p.seen_at) AS last_seen_at,
    ${accessVersion} AS version
  FROM identity.person p
  LEFT JOIN identity.person v ON v.id = p.confirmed_by_id
  LEFT JOIN LATERAL (SELECT s.sponsor_id FROM identity.user_sponsor s
    WHERE s.user_id = p.id AND s.act <> 'reset' ORDER BY s.id DESC LIMIT 1) latest ON true
  LEFT JOIN identity.person i ON i.id = latest.sponsor_id`;

export async function readUser(tx: Tx, id: string): Promise<User | null> {
  const { rows } = await sql<User>`${wireUser} WHERE p.id::text = ${id}`.execute(tx.sql);
  return rows[0] ?? null;
}

type ListQuery = CallParsed<'GET /api/users'>['query'];

/** Users by creation. */
export async function listUsers(tx: Tx, query: ListQuery): Promise<User[]> {
  const { limit = DEFAULT_PAGE, offset = 0 } = query;
  const { rows } = await sql<User>`${wireUser} WHERE ${matches(query)}
    ORDER BY p.created_at, p.id LIMIT ${limit} OFFSET ${offset}`.execute(tx.sql);
  return rows;
}

/** People by a part of their name or e-mail address, or whole by their id. */
export const findNamedPeople: FindNamed = async (tx, text, most) => {
  const needle = text.toLowerCase();
  const { rows } = await sql<FoundRow>`
    SELECT p.id, p.name AS title, p.email || CASE WHEN p.disabled_at IS NOT NULL THEN ' · Disabled' ELSE '' END AS note,
      NULL AS amount, NULL AS status, NULL AS at, ${needle} IN (lower(p.email), lower(p.name), p.id::text) AS is_exact
    FROM identity.person p WHERE ${matches({ search: text })} OR p.id::text = ${needle}
    ORDER BY is_exact DESC, p.disabled_at IS NOT NULL, ${byName('p.name')}, p.id LIMIT ${most}`.execute(
    tx.sql,
  );
  return rows;
};

export async function countUsers(tx: Tx, query: ListQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT count(*)::int AS total FROM identity.person p
    WHERE ${matches(query)}`.execute(tx.sql);
  return rows[0]?.total ?? 0;
}

const ROLES: Record<NonNullable<ListQuery['role']>, RawBuilder<unknown>> = {
  super: sql`p.super`,
  staff: sql`p.admin AND NOT p.super AND p.provider_ids <> '{}'`,
  no_access: sql`p.admin AND NOT p.super AND p.provider_ids = '{}'`,
  not_admin: sql`NOT p.admin`,
};
const STATES: Record<NonNullable<ListQuery['state']>, RawBuilder<unknown>> = {
  active: sql`p.is_active AND p.disabled_at IS NULL`,
  invited: sql`NOT p.is_active AND p.disabled_at IS NULL`,
  disabled: sql`p.disabled_at IS NOT NULL`,
  unconfirmed: sql`p.super AND p.disabled_at IS NULL AND p.confirmed_at IS NULL`,
};

function matches({ search, role, state, provider_id }: ListQuery): RawBuilder<unknown> {
  const pattern = search === undefined ? null : containing(search);
  const conditions = [
    // The expression of an index.
    ...(pattern === null ? [] : [sql`(p.email || E'\n' || p.name) ILIKE ${pattern}`]),
    ...(role ? [ROLES[role]] : []),
    ...(state ? [STATES[state]] : []),
    ...(provider_id ? [sql`p.provider_ids @> ARRAY[${provider_id}::uuid]`] : []),
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

type Detail = CallAnswer<'GET /api/users/{id}'>['data'];

/** A user with what belongs to it alone. @param sessionId of the caller */
export async function readUserDetail(tx: Tx, id: string, sessionId: string): Promise<Detail | null> {
  const user = await readUser(tx, id);
  if (!user) return null;
  const { rows } = await sql<Omit<Detail, keyof User>>`
    SELECT
      (SELECT app.iso(max(t.expires_at)) FROM identity.invitation t
        WHERE t.user_id = ${id}::uuid AND t.used_at IS NULL AND t.expires_at > now()) AS invitation_expires_at,
      (SELECT json_build_object('at', app.iso(m.created_at), 'problem', m.problem) FROM mail m
        WHERE m.state = 'failed' AND m.recipient = ${user.email} AND m.created_at > now() - interval '7 days'
        ORDER BY m.created_at DESC LIMIT 1) AS failed_mail,
      (SELECT coalesce(json_agg(json_build_object('act', s.act, 'at', app.iso(s.at), 'by', p.email)
          ORDER BY s.id DESC), '[]')
        FROM identity.user_sponsor s JOIN identity.person p ON p.id = s.sponsor_id
        WHERE s.user_id = ${id}::uuid) AS sponsors,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT p.id, p.email, s.act, app.iso(s.at) AS at
        FROM identity.user_sponsor s JOIN identity.person p ON p.id = s.user_id
        WHERE s.sponsor_id = ${id}::uuid ORDER BY s.id DESC LIMIT 50) r) AS sponsored`.execute(tx.sql);
  const sessions = await listSessions(tx, id, sessionId);
  const [more] = rows;
  if (!more) throw new Error('a query without a table of its own returns one row');
  return { ...user, ...more, sessions };
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
    : sql<Me['providers'][number]>`SELECT id, display_name AS name,
          coalesce(${JSON.stringify(flags.staffRoles ?? {})}::jsonb ->> id::text, ${DEFAULT_STAFF_ROLE}) AS role
        FROM provider
        WHERE id = ANY (${[...flags.providerAccess]}::uuid[]) ORDER BY ${byName('display_name')}, id`.execute(
        tx.sql,
      );
  const [{ rows: users }, { rows }] = await Promise.all([user, providers]);
  return { two_factor_enabled: users[0]?.enabled ?? false, providers: rows };
}

/** The communities within the transaction's scope. */
export async function listScopedCommunities(tx: Tx): Promise<Communities> {
  const { rows } = await sql<Communities[number]>`SELECT c.id, c.name FROM community c
    WHERE ${communityInScope(tx, 'c.id')} ORDER BY ${byName('c.name')}, c.id`.execute(tx.sql);
  return rows;
}
