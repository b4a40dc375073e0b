import { sql } from 'kysely';
import type { AddressFacts } from '../../../integrations/chain/address-reader.ts';
import { type Database, type Tx, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';

/** Addresses of one turn: some hundred requests to a server. */
const AT_ONCE = 25;
/** What waits for a person is read again: an address may be used, or become a contract, meanwhile. */
const FRESH_MS = 3_600_000;

export interface AddressReadingDeps {
  db: Database;
  chainId: number;
  read(addresses: readonly string[]): Promise<{ blockNumber: bigint; facts: AddressFacts[] }>;
  now: () => Date;
}

/**
 * Reads what the chain knows of addresses that were entered: of the address book, of funding, and of orders that wait.
 * @returns whether there may be more
 */
export async function takeAddressTurn({ db, chainId, read, now }: AddressReadingDeps): Promise<boolean> {
  const readAt = now();
  const readBefore = new Date(readAt.getTime() - FRESH_MS);
  const addresses = await db.read(WHOLE_SCOPE, (tx) => listUnread(tx, { chainId, readBefore }));
  if (addresses.length === 0) return false;
  const { blockNumber, facts } = await read(addresses);
  const column = <T>(of: (one: AddressFacts) => T) => facts.map(of);
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await sql`
      INSERT INTO address_reading (chain_id, address, is_contract, is_token, nonce, coin_wei, token_units, block_number,
        read_at)
      SELECT ${chainId}, n.*, ${blockNumber.toString()}::bigint, ${readAt}
      FROM unnest(${column(({ address }) => address)}::text[], ${column(({ isContract }) => isContract)}::boolean[],
        ${column(({ isToken }) => isToken)}::boolean[], ${column(({ nonce }) => nonce.toString())}::bigint[],
        ${column(({ coinWei }) => coinWei.toString())}::numeric[],
        ${column(({ tokenUnits }) => tokenUnits.toString())}::numeric[]) AS n
      ON CONFLICT (address, chain_id) DO UPDATE SET is_contract = excluded.is_contract, is_token = excluded.is_token,
        nonce = excluded.nonce, coin_wei = excluded.coin_wei, token_units = excluded.token_units,
        block_number = excluded.block_number, read_at = excluded.read_at`.execute(tx.sql);
  });
  return addresses.length === AT_ONCE;
}

/**
 * Addresses that a person has to decide about, without a reading or with an old one, and where pools are
 * funded. Addresses that need no decision are skipped: the cost depends on what waits, not on the size of the
 * book. In lower case.
 */
async function listUnread(
  tx: Tx,
  { chainId, readBefore }: { chainId: number; readBefore: Date },
): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    SELECT e.address FROM (
      SELECT lower(a.address) AS address, true AS waits FROM payout_address_change a
      WHERE a.released_at IS NULL AND a.address IS NOT NULL AND a.owner_kind <> 'trader_referrer'
      UNION ALL SELECT lower(r.external_wallet_address), true FROM payout_address_change a
      JOIN trader r ON r.id = CASE WHEN a.owner_kind = 'trader_referrer' THEN a.address::uuid END
      WHERE a.owner_kind = 'trader_referrer' AND a.released_at IS NULL AND r.external_wallet_address IS NOT NULL
      UNION ALL SELECT lower(p.bybit_deposit_address), false FROM pooled_account p
      WHERE p.bybit_deposit_address IS NOT NULL
      UNION ALL SELECT lower(l.to_address), true FROM money_order_line l JOIN money_order o ON o.id = l.order_id
      WHERE o.state = 'awaiting_approval' AND l.to_address IS NOT NULL
      UNION ALL SELECT lower(y.recipient_address), true FROM payout y JOIN distribution d ON d.id = y.distribution_id
      WHERE d.state = 'awaiting_approval') e
    LEFT JOIN address_reading r ON r.address = e.address AND r.chain_id = ${chainId}
    WHERE r.address IS NULL OR e.waits AND r.read_at < ${readBefore}
    GROUP BY e.address ORDER BY bool_or(e.waits) DESC, e.address LIMIT ${AT_ONCE}`.execute(tx.sql);
  return rows.map(({ address }) => address);
}
