import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

type Frozen = CallAnswer<'GET /api/super-admin/wallets'>['data'][number];

/** Frozen wallets, longest wait first. */
export async function listFrozenWallets(
  tx: Tx,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: Frozen[]; total: number }> {
  const { rows: data } = await sql<Frozen>`
    SELECT w.id, w.role, w.owner_id, w.address, w.frozen_because, app.iso(w.frozen_at) AS frozen_at
    FROM chain_wallet w WHERE w.frozen_because IS NOT NULL
    ORDER BY w.frozen_at, w.id LIMIT ${limit} OFFSET ${offset}`.execute(tx.sql);
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM chain_wallet w WHERE w.frozen_because IS NOT NULL`.execute(tx.sql);
  return { data, total: rows[0]?.total ?? 0 };
}
