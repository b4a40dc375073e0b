import { type RawBuilder, sql } from 'kysely';
import { usdt } from '../../../platform/db/usdt-text.ts';
import {
  type FindNamed,
  type FoundRow,
  typedAmount,
  typedHash,
  typedIds,
} from '../../../platform/http/search-source.ts';
import { ownRows, searchedBy } from './payout-filters.ts';
import { communityOf, unitsInScope } from './payout-json.ts';

/** An address, or the beginning of one or of a hash, long enough to name few. */
const HEX = /^0x[0-9a-f]{6,64}$/i;

/** Payouts by their id, the address of the recipient, a hash, or their amount; the newest first. */
export const findNamedPayouts: FindNamed = async (tx, text, most) => {
  const by = searchedBy(text);
  const amount = typedAmount(text);
  const units = sql`(${amount}::numeric * 1e18)`;
  const conditions: RawBuilder<unknown>[] = [
    ...(typedIds(text) && by.id ? [by.id] : []),
    ...(HEX.test(text) ? [by.recipient, by.consolidation, by.distribution] : []),
    ...(amount
      ? [
          sql`o.id IN (SELECT e.payout_id FROM payout_provider e
            WHERE ${ownRows(tx, 'e')} AND e.amount_rank = ${units}::float8 AND e.amount_units = ${units})`,
        ]
      : []),
  ];
  if (conditions.length === 0) return [];
  const isExact = typedHash(text) !== null || /^0x[0-9a-f]{40}$/i.test(text) || typedIds(text) !== null;
  const { rows } = await sql<FoundRow>`
    SELECT o.id, o.recipient_address AS title, c.name AS note, ${usdt(sql`seen.units`)} AS amount, o.status,
      app.iso(o.created_at) AS at, ${isExact}::boolean AS is_exact
    FROM payout o CROSS JOIN LATERAL (SELECT ${unitsInScope(tx)} AS units) seen
    ${communityOf(tx)}
    WHERE (${sql.join(conditions, sql` OR `)}) AND seen.units IS NOT NULL
    ORDER BY o.created_at DESC, o.id LIMIT ${most}`.execute(tx.sql);
  return rows;
};
