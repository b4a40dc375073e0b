import { type CallAnswer, type CallKey, type CallParsed, contract } from '@copydesk/contract';
import { refusalText } from '@copydesk/contract/audit';
import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { isAfter, orderBy, type Reach, type SortKey } from '../../../platform/db/lists/keyset.ts';
import { conditionsOf, type FilterConditions } from '../../../platform/db/lists/list-query.ts';
import type { ExportedList } from '../../../platform/http/exported-list.ts';
import { networkOf } from '../../../platform/identity/client-address.ts';

export type RefusalFilters = CallParsed<'GET /api/audit/refusals/export'>['query'];
type Attempt = CallAnswer<'GET /api/audit/refusals'>['data'][number];
type Unlisted = CallAnswer<'GET /api/audit/refusals'>['meta']['unlisted'];
type Counts = CallAnswer<'GET /api/audit/refusals/counts'>['data'];

/** Counting stops here, as in the audit. */
export const COUNTED = 10_000;

/** Newest first. */
export const KEYS: readonly SortKey[] = [
  { column: 'r.last_at', type: 'timestamptz', direction: 'desc' },
  { column: 'r.id', type: 'uuid', direction: 'desc' },
];

const CONDITIONS: FilterConditions<RefusalFilters> = {
  kind: (value) => sql`r.kind = ${value}`,
  code: (value) => sql`r.code = ${value}`,
  actor_id: (value) => sql`r.caller_id = ${value}`,
  address: (value) => sql`r.network = ${networkOf(value)}`,
  // A row is of one hour, so it is of one day.
  from: (value) => sql`r.last_at >= ${value}::date::timestamp AT TIME ZONE 'UTC'`,
  to: (value) => sql`r.last_at < (${value}::date + 1)::timestamp AT TIME ZONE 'UTC'`,
};

const all = (conditions: RawBuilder<unknown>[]) =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
const matching = (filters: RefusalFilters) => all(conditionsOf(filters, CONDITIONS));

/** Refused attempts, newest first. Row-level security shows them to super admins only. */
export async function listRefusals(tx: Tx, filters: RefusalFilters, reach: Reach): Promise<Attempt[]> {
  const { rows } = await sql<Omit<Attempt, 'text' | 'summary'>>`
    SELECT r.id, r.kind, r.code, r.call, r.caller_kind, r.caller_id, r.caller_name, r.address, r.network,
      app.iso(r.first_at) AS first_at, app.iso(r.last_at) AS last_at, r.count::int AS count, r.request_id
    FROM refused_attempt r
    WHERE ${all([...conditionsOf(filters, CONDITIONS), ...isAfter(KEYS, reach.after)])}
    ORDER BY ${orderBy(KEYS)} LIMIT ${reach.limit}`.execute(tx.sql);
  return rows.map((row) => ({ ...row, text: refusalText(row.code), summary: summaryOf(row.call) }));
}

/** The sort keys of a row as a cursor has them. */
export const keysOf = ({ last_at, id }: Attempt) => [last_at.replace('T', ' ').replace('Z', '+00'), id];

function summaryOf(call: string | null): string | null {
  const entries: Partial<Record<CallKey, { summary: string }>> = contract;
  return (call && entries[call as CallKey]?.summary) || null;
}

/** The number of matches, at most one more than `COUNTED`. */
export async function countRefusals(tx: Tx, filters: RefusalFilters): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM (SELECT FROM refused_attempt r WHERE ${matching(filters)}
      LIMIT ${COUNTED + 1}) found`.execute(tx.sql);
  return rows[0]?.total ?? 0;
}

/** Attempts that are counted without call and network, by kind. They cannot be filtered by network. */
export async function sumUnlisted(tx: Tx, { address: _, ...filters }: RefusalFilters): Promise<Unlisted> {
  const { rows } = await sql<Unlisted[number]>`
    SELECT r.kind, least(sum(r.count), 2147483647)::int AS count
    FROM refused_attempt r WHERE r.call IS NULL AND ${matching(filters)} GROUP BY r.kind ORDER BY 2 DESC, 1`.execute(
    tx.sql,
  );
  return rows;
}

/** Attempts by kind, the most frequent first. */
export async function sumRefusals(tx: Tx, filters: RefusalFilters): Promise<Counts> {
  const { rows } = await sql<Counts[number]>`
    SELECT r.kind, least(sum(r.count), 2147483647)::int AS count, app.iso(max(r.last_at)) AS last_at
    FROM refused_attempt r WHERE ${matching(filters)} GROUP BY r.kind ORDER BY 2 DESC, 1`.execute(tx.sql);
  return rows;
}

/** All matches, newest first. */
function exportStatement(tx: Tx, filters: RefusalFilters): CompiledQuery {
  return sql`
    SELECT app.iso(r.first_at) AS first_at, app.iso(r.last_at) AS last_at, r.count::text AS count, r.kind, r.code, r.call,
      r.caller_kind, r.caller_name, r.caller_id, r.address, r.network, r.request_id
    FROM refused_attempt r WHERE ${matching(filters)} ORDER BY ${orderBy(KEYS)}`.compile(tx.sql);
}

const EXPORT_COLUMNS = {
  first_at: 'First (UTC)',
  last_at: 'Last (UTC)',
  count: 'Count',
  kind: 'Kind',
  code: 'Code',
  call: 'Call',
  // A wrong password may come from someone other than the account's person.
  caller_kind: 'Kind of caller or account',
  caller_name: 'Caller, or account of a sign-in',
  caller_id: 'ID of caller or account',
  address: 'Last address',
  network: 'Network',
  request_id: 'Last request ID',
};

/** The security log as a file. */
export const refusalExport: ExportedList<'GET /api/audit/refusals/export'> = {
  name: 'security-log',
  columns: EXPORT_COLUMNS,
  prepare: async (_tx, { query }) => ({
    async count(reading) {
      const counted = await countRefusals(reading, query);
      return counted > COUNTED ? null : counted;
    },
    statement: (reading) => exportStatement(reading, query),
  }),
};
