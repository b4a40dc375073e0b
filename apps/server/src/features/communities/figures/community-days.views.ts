import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';

type Days = CallAnswer<'GET /api/communities/{id}/days'>['data'];

/** Days on which something was recorded, oldest first. */
export async function listDays(
  tx: Tx,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<Days> {
  const { rows } = await sql<Days[number]>`
    SELECT d.day::text AS day, trim_scale(sum(d.equity))::text AS aum,
      trim_scale(sum(d.received_units) * 0.000000000000000001)::text AS received
    FROM community_day d
    WHERE d.community_id = ${id} AND d.day BETWEEN ${from}::date AND ${to}::date
      AND ${providerInScope(tx, 'd.provider_id')}
    GROUP BY d.day ORDER BY d.day`.execute(tx.sql);
  return rows;
}
