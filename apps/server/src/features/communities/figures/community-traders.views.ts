import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { traderInScope } from '../../../platform/db/scope-filter.ts';
import { levelledTradersOf, tradersOf } from './traders-of-community.ts';

type Traders = Pick<CallAnswer<'GET /api/communities/{id}/traders'>, 'data' | 'meta'>;
type VipTraders = Pick<CallAnswer<'GET /api/communities/{id}/vip/traders'>, 'data' | 'meta'>;

interface Page {
  limit: number;
  offset: number;
}

const person = sql`t.id, t.name, t.telegram_username, t.reference_number, t.status,
  app.iso(t.created_at) AS created_at`;
const aumColumns = sql`trim_scale(seen.aum) AS aum, app.iso(seen.aum_read_at) AS aum_read_at,
  coalesce(seen.is_part, false) AS aum_is_part`;

/** A page by AUM, largest first; finds the page first and then reads its columns. */
export async function listTraders(
  tx: AnyTx,
  id: string,
  { limit, offset, includesAum }: Page & { includesAum: boolean },
): Promise<Traders> {
  const page = sql`SELECT * FROM (${tradersOf(tx, id)}) s ORDER BY s.aum DESC NULLS LAST, s.id
    LIMIT ${limit} OFFSET ${offset}`;
  const marked = includesAum
    ? sql`SELECT s.*, m.is_part FROM (${page}) s
        JOIN app.trader_marks(ARRAY(SELECT id FROM (${page}) p)) m ON m.trader_id = s.id`
    : page;
  const { rows } = await sql<{ total: number; data: Traders['data'] }>`
    SELECT (SELECT count(*)::int FROM (${tradersOf(tx, id)}) seen) AS total,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT ${person} ${includesAum ? sql`, ${aumColumns}` : sql``}
        FROM (${marked}) seen
        JOIN trader t ON t.id = seen.id AND ${traderInScope(tx, 't.id')}
        ORDER BY seen.aum DESC NULLS LAST, seen.id) r) AS data`.execute(tx.sql);
  return { data: rows[0]?.data ?? [], meta: { total: rows[0]?.total ?? 0 } };
}

/** The same for traders with a VIP level, or with a given one. */
export async function listVipTraders(
  tx: AnyTx,
  id: string,
  { limit, offset, level }: Page & { level: number | undefined },
): Promise<VipTraders> {
  const levelled = sql`SELECT s.id, coalesce(s.aum, 0) AS aum, s.aum_read_at, s.is_part, v.level, v.name AS level_name
    FROM (${levelledTradersOf(tx, id)}) s JOIN vip_tier v ON v.level = s.vip_level
    ${level === undefined ? sql`` : sql`WHERE v.level = ${level}`}`;
  const { rows } = await sql<{ total: number; data: VipTraders['data'] }>`
    SELECT (SELECT count(*)::int FROM (${levelled}) seen) AS total,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT ${person}, ${aumColumns}, json_build_object('level', seen.level, 'name', seen.level_name) AS vip
        FROM (SELECT * FROM (${levelled}) l ORDER BY l.aum DESC, l.id LIMIT ${limit} OFFSET ${offset}) seen
        JOIN trader t ON t.id = seen.id AND ${traderInScope(tx, 't.id')}
        ORDER BY seen.aum DESC, seen.id) r) AS data`.execute(tx.sql);
  return { data: rows[0]?.data ?? [], meta: { total: rows[0]?.total ?? 0 } };
}
