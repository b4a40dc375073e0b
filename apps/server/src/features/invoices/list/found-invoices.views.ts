import { type RawBuilder, sql } from 'kysely';
import { providerInScope, traderInScope } from '../../../platform/db/scope-filter.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';
import {
  type FindNamed,
  type FoundRow,
  typedAmount,
  typedHash,
  typedIds,
} from '../../../platform/http/search-source.ts';

/** Invoices by their id, the hash of a payment, or their amount; the newest first. */
export const findNamedInvoices: FindNamed = async (tx, text, most) => {
  const [ids, hash, amount] = [typedIds(text), typedHash(text), typedAmount(text)];
  const units = sql`(${amount}::numeric * 1e18)`;
  const conditions: RawBuilder<unknown>[] = [
    ...(ids ? [sql`i.id BETWEEN ${ids[0]}::uuid AND ${ids[1]}::uuid`] : []),
    ...(hash
      ? [
          sql`i.id IN (SELECT y.invoice_id FROM invoice_payment y
            WHERE y.transaction_hash COLLATE "C" = ${hash} AND ${providerInScope(tx, 'y.provider_id')})`,
        ]
      : []),
    ...(amount ? [sql`i.amount_rank = ${units}::float8 AND i.amount_units = ${units}`] : []),
  ];
  if (conditions.length === 0) return [];
  const { rows } = await sql<FoundRow>`
    SELECT i.id, coalesce(t.reference_number, nullif(t.telegram_username, ''), t.name, 'Unknown Trader') AS title,
      c.name AS note, ${usdt(sql`i.amount_units`)} AS amount,
      CASE WHEN i.is_archived THEN 'archived' ELSE i.status END AS status, app.iso(i.created_at) AS at,
      ${amount === null}::boolean AS is_exact
    FROM invoice i JOIN trader t ON t.id = i.trader_id LEFT JOIN community c ON c.id = i.community_id
    WHERE (${sql.join(conditions, sql` OR `)}) AND ${providerInScope(tx, 'i.provider_id')}
      AND ${traderInScope(tx, 'i.trader_id')}
    ORDER BY i.created_at DESC, i.id LIMIT ${most}`.execute(tx.sql);
  return rows;
};
