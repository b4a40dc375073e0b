import type { PlannedRow } from '@copydesk/contract/bulk';
import { type BulkAct, type BulkList, MAX_BULK_ROWS } from '@copydesk/domain/bulk';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ActParams, BulkParts } from './bulk-parts.ts';

export interface Selected {
  trader_ids?: readonly string[] | undefined;
  matching?: { list: BulkList; query: Record<string, string>; except: readonly string[] } | undefined;
}

export type Planned = Omit<PlannedRow, 'amount'> & { amount_units: string | null };

/**
 * What an act would do to each trader of a selection, in the order of the list. Stops at one more than the
 * maximum.
 * @throws Refusal `not_found`: a named trader is out of scope; `bulk_too_many`
 */
export async function planAct(
  tx: Tx,
  parts: BulkParts,
  { act, selected, params }: { act: BulkAct; selected: Selected; params: ActParams },
): Promise<Planned[]> {
  const named = selected.trader_ids && [...new Set(selected.trader_ids)];
  const wanted = named ? placed(named) : await matches(tx, parts, selected.matching);
  const { rows } = await sql<Planned>`
    WITH wanted AS MATERIALIZED (${wanted})
    SELECT p.id::text AS trader_id, t.name, t.telegram_username, t.reference_number, p.reason, p.before,
      p.amount_units::text AS amount_units
    FROM (${parts.acts[act].plan(tx, params)}) p JOIN trader t ON t.id = p.id
    ORDER BY p.place`.execute(tx.sql);
  if (named && rows.length < named.length) throw new Refusal('not_found');
  if (rows.length > MAX_BULK_ROWS) throw new Refusal('bulk_too_many');
  return rows;
}

const placed = (ids: readonly string[]) =>
  sql`SELECT id, place FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS named (id, place)`;

async function matches(
  tx: Tx,
  { lists }: BulkParts,
  matching: Selected['matching'],
): Promise<RawBuilder<unknown>> {
  if (!matching) return placed([]);
  const { list, query, except } = matching;
  return sql`SELECT l.id, row_number() OVER () AS place FROM (${await lists[list](tx, query)}) l
    WHERE l.id <> ALL (${except}::uuid[]) LIMIT ${sql.lit(MAX_BULK_ROWS + 1)}`;
}
