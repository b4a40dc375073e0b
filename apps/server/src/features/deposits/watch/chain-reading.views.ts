import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Token } from '../../../core/chain/transfer-receiver.ts';
import type { Tx } from '../../../platform/db/database.ts';

type Reading = CallAnswer<'GET /api/super-admin/deposit-reading'>['data'];

const SHOWN = 20;
/** A block is final after some seconds, and read two seconds later: anything older than this is late. */
const LATE_SECONDS = 20;
/** The chain of the demo world makes a block a minute while nothing happens, of which the sixth newest is final. */
const LATE_SECONDS_IN_DEMO = 600;

/** How far reading is, and what it set aside. Row-level security shows it to super admins. */
export async function readChainReading(
  tx: Tx,
  { chainId, tokenAddress }: Token,
  { isDemo }: { isDemo: boolean },
): Promise<Reading> {
  const lateSeconds = isDemo ? LATE_SECONDS_IN_DEMO : LATE_SECONDS;
  const { rows } = await sql<Reading>`
    SELECT c.block_number::int AS block_number, app.iso(c.updated_at) AS updated_at, c.stopped_because,
      coalesce(c.needs_review, false) AS needs_review,
      CASE WHEN c.block_made_at < now() - make_interval(secs => ${sql.lit(lateSeconds)})
        THEN extract(epoch FROM now() - c.block_made_at)::int END AS late_seconds,
      (SELECT count(*)::int FROM deposit_set_aside) AS set_aside_count,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT s.id, json_build_object('id', t.id, 'reference_number', t.reference_number) AS trader,
          trim_scale(s.amount_units * 0.000000000000000001)::text AS amount, s.from_address, s.transaction_hash,
          s.reason, app.iso(s.created_at) AS created_at
        FROM deposit_set_aside s JOIN trader t ON t.id = s.trader_id
        ORDER BY s.created_at DESC, s.id LIMIT ${sql.lit(SHOWN)}) r) AS set_aside
    FROM (SELECT) one LEFT JOIN chain_cursor c ON c.chain_id = ${chainId}
      AND c.token_address = ${tokenAddress}`.execute(tx.sql);
  return rows[0] as Reading;
}
