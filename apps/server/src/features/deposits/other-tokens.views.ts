import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import { checksum } from 'ox/Address';
import type { AnyTx } from '../../platform/db/database.ts';

type OtherTokens = Pick<CallAnswer<'GET /api/payments/other-tokens'>, 'data' | 'meta'>;

const MOST_TOKENS = 20;
const whole = (units: string) =>
  sql`trim_scale(${sql.raw(units)} * power(10::numeric, -coalesce(k.decimals, 0)))::text`;

/** Transfers of other tokens, latest first. Row-level security shows them to super admins only. */
export async function listOtherTokens(
  tx: AnyTx,
  { limit, offset }: { limit: number; offset: number },
): Promise<OtherTokens> {
  const { rows } = await sql<OtherTokens>`
    SELECT json_build_object('total', (SELECT count(*)::int FROM other_token_transfer), 'tokens', (
        SELECT coalesce(json_agg(s), '[]') FROM (
          SELECT k.token_address, k.symbol, o.transfers, ${whole('o.units')} AS amount
          FROM (SELECT chain_id, token_address, count(*)::int AS transfers, sum(amount_units) AS units
                FROM other_token_transfer GROUP BY 1, 2 ORDER BY 3 DESC, 2 LIMIT ${MOST_TOKENS}) o
          JOIN other_token k ON k.chain_id = o.chain_id AND k.token_address = o.token_address
          ORDER BY o.transfers DESC, k.token_address) s)) AS meta,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT o.token_address, k.symbol, ${whole('o.amount_units')} AS amount, k.decimals IS NOT NULL AS has_decimals,
          o.from_address, o.to_address, o.transaction_hash, app.iso(o.created_at) AS seen_at,
          (SELECT json_build_object('id', t.id, 'name', t.name, 'reference_number', t.reference_number)
           FROM trader t WHERE lower(t.deposit_address) = lower(o.to_address) LIMIT 1) AS trader
        FROM (SELECT * FROM other_token_transfer ORDER BY created_at DESC, transaction_hash, log_index
              LIMIT ${limit} OFFSET ${offset}) o
        JOIN other_token k ON k.chain_id = o.chain_id AND k.token_address = o.token_address
        ORDER BY o.created_at DESC, o.transaction_hash, o.log_index) r) AS data`.execute(tx.sql);
  const { data, meta } = rows[0] as OtherTokens;
  return { data: data.map(checksummed), meta: { ...meta, tokens: meta.tokens.map(checksummed) } };
}

/** Contracts are stored in lower case, and people compare them as explorers write them. */
const checksummed = <T extends { token_address: string }>(row: T): T => ({
  ...row,
  token_address: checksum(row.token_address as `0x${string}`),
});
