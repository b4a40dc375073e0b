import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { conditionsOf, type FilterConditions } from '../../platform/db/lists/list-query.ts';
import type { ExportedList } from '../../platform/http/exported-list.ts';

export type AuditFilters = CallParsed<'GET /api/audit/export'>['query'];
type Entry = CallAnswer<'GET /api/audit'>['data'][number];

/** Counting stops here: an exact count of millions is slow and useless. */
const COUNTED = 10_000;

/**
 * Numbers follow times to within the seconds that a transaction takes, or waits. Bounds on numbers let a day far back
 * be found without a walk to it.
 */
const SLACK = sql`interval '1 hour'`;

/** The number of the first entry from a time on; `otherwise` when there is none. */
const numberAt = (time: RawBuilder<unknown>, otherwise: number) =>
  sql`coalesce((SELECT f.seq FROM audit_entry f WHERE f.at >= ${time} ORDER BY f.at, f.seq LIMIT 1), ${sql.lit(otherwise)})`;

const CONDITIONS: FilterConditions<AuditFilters> = {
  search: () => null,
  actor_id: (value) => sql`e.actor_id = ${value}`,
  actor_kind: (value) => sql`e.actor_kind = ${value}`,
  kind: (value) => sql`split_part(e.action, '.', 1) = ${value}`,
  is_decision: (value) => (value ? sql`app.is_decision(e.action)` : sql`NOT app.is_decision(e.action)`),
  target_kind: (value) => sql`e.target_kind = ${value}`,
  target_id: (value) => sql`e.target_id = ${value}`,
  provider_id: (value) =>
    sql`app.audit_provider(e.target_kind, e.target_id, e.before, e.after) = ${value}::text`,
  from: (value) => {
    const start = sql`${value}::date::timestamp AT TIME ZONE 'UTC'`;
    return sql`e.at >= ${start} AND e.seq >= ${numberAt(sql`${start} - ${SLACK}`, 0)}`;
  },
  to: (value) => {
    const end = sql`(${value}::date + 1)::timestamp AT TIME ZONE 'UTC'`;
    return sql`e.at < ${end} AND e.seq < ${numberAt(sql`${end} + ${SLACK}`, Number.MAX_SAFE_INTEGER)}`;
  },
};

function matching(filters: AuditFilters): RawBuilder<unknown> {
  const conditions = conditionsOf(filters, CONDITIONS);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

const LAST = '9223372036854775807';

/**
 * The entries `e` that a list is taken from: all, or the latest that a search finds. Other filters narrow these.
 * @param most how many of them
 */
const from = ({ search }: AuditFilters, before = LAST, most: number | null = COUNTED + 1) =>
  search === undefined
    ? sql`audit_entry e`
    : sql`app.search_audit(${search}, ${before}::bigint, ${most}::int) f (seq) JOIN audit_entry e ON e.seq = f.seq`;

/**
 * Where a search continues after a page that the other filters left short, because it found more than one
 * page examines.
 * @returns the number of the last entry examined; null: no more were found
 */
export async function searchedTo(
  tx: Tx,
  { search }: AuditFilters,
  before: string | undefined,
): Promise<string | null> {
  const { rows } = await sql<{ seq: string | null }>`
    SELECT CASE WHEN count(*) > ${COUNTED} THEN min(f.seq)::text END AS seq
    FROM ${from({ search }, before)}`.execute(tx.sql);
  return rows[0]?.seq ?? null;
}

/** What people call the target of an entry today. */
const targetName = sql`app.audit_target_name(e.target_kind, e.target_id)`;

const columns = sql`e.seq::text AS seq, NOT EXISTS (SELECT FROM audit_unsealed u WHERE u.seq = e.seq) AS is_sealed, app.iso(e.at) AS at, e.actor_kind, e.actor_id, e.actor_name,
  e.actor_kind = 'user' AND app.audit_target_name('user', e.actor_id) IS NOT NULL AS is_actor_person, e.action,
  e.target_kind, e.target_id, ${targetName} AS target_name, e.before, e.after, e.request_id, e.keyed_by`;

/** Entries, newest first. Row-level security shows them to super admins only. */
export async function listAudit(
  tx: Tx,
  filters: AuditFilters,
  { limit, beforeSeq }: { limit: number; beforeSeq: string | undefined },
): Promise<Entry[]> {
  const before = beforeSeq === undefined ? sql`` : sql`AND e.seq < ${beforeSeq}::bigint`;
  const { rows } = await sql<Entry>`
    SELECT ${columns} FROM ${from(filters, beforeSeq)} WHERE ${matching(filters)} ${before}
    ORDER BY e.seq DESC LIMIT ${limit}`.execute(tx.sql);
  return rows;
}

/** The number of matches, up to `COUNTED`, and whether there are more; for a search, whether there may be. */
export async function countAudit(
  tx: Tx,
  filters: AuditFilters,
): Promise<{ total: number; isCapped: boolean }> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM (SELECT FROM ${from(filters)} WHERE ${matching(filters)}
      LIMIT ${COUNTED + 1}) found`.execute(tx.sql);
  const total = rows[0]?.total ?? 0;
  const isCapped =
    total > COUNTED || (filters.search !== undefined && (await searchedTo(tx, filters, undefined)) !== null);
  return { total: Math.min(total, COUNTED), isCapped };
}

/** The present name of the object in the filter, even when no entry about it matches the other filters. */
export async function nameFilteredTarget(
  tx: Tx,
  { target_kind: kind, target_id: id }: AuditFilters,
): Promise<string | null> {
  if (kind === undefined || id === undefined) return null;
  const { rows } = await sql<{ name: string | null }>`
    SELECT app.audit_target_name(${kind}, ${id}) AS name`.execute(tx.sql);
  return rows[0]?.name ?? null;
}

/** All matches, newest first. */
function exportStatement(tx: Tx, filters: AuditFilters): CompiledQuery {
  return sql`
    SELECT e.seq::text AS seq, app.iso(e.at) AS at, e.actor_kind, e.actor_name, e.action, e.target_kind, e.target_id,
      ${targetName} AS target_name, e.before::text AS before, e.after::text AS after, e.request_id, e.keyed_by
    FROM ${from(filters, LAST, null)} WHERE ${matching(filters)} ORDER BY e.seq DESC`.compile(tx.sql);
}

const EXPORT_COLUMNS = {
  seq: 'Number',
  at: 'Time (UTC)',
  actor_kind: 'Actor kind',
  actor_name: 'Actor',
  action: 'Action',
  target_kind: 'Target kind',
  target_id: 'Target ID',
  target_name: 'Target',
  before: 'Before',
  after: 'After',
  request_id: 'Request ID',
  keyed_by: 'Key',
};

/** The audit as a file. */
export const auditExport: ExportedList<'GET /api/audit/export'> = {
  name: 'audit',
  columns: EXPORT_COLUMNS,
  prepare: async (_tx, { query }) => ({
    async count(reading) {
      const { total, isCapped } = await countAudit(reading, query);
      return isCapped ? null : total;
    },
    statement: (reading) => exportStatement(reading, query),
  }),
};
