import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

export interface GivenAddress {
  index: number;
  address: string;
}

/** Deposit addresses of traders, by their index. @param after continues after this index; -1 from the first */
export async function listGivenAddresses(
  tx: Tx,
  { after, limit }: { after: number; limit: number },
): Promise<GivenAddress[]> {
  const { rows } = await sql<GivenAddress>`
    SELECT deposit_index AS index, deposit_address AS address FROM trader
    WHERE deposit_index > ${after} AND deposit_address IS NOT NULL
    ORDER BY deposit_index LIMIT ${limit}`.execute(tx.sql);
  return rows;
}
