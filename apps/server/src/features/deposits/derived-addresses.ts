import { sql } from 'kysely';
import type { WalletKeys } from '../../integrations/chain/wallet-keys.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';

/** Deriving a key takes half a millisecond: a turn holds up the rest of a worker for a twentieth of a second. */
const AT_ONCE = 100;
/**
 * Indexes beyond the last trader that already have their address, so that a trader who orders from a bot gets
 * one at once.
 */
const AHEAD = 1_000;

export interface AddressDeriving {
  db: Database;
  keys: Pick<WalletKeys, 'addressOf'>;
}

/**
 * Derives the addresses of the next indexes: first those ahead of all traders, then those of existing
 * traders. Runs where the seed is. Safe to repeat, and in several workers at once.
 * @returns how many; 0: every trader has its address
 */
export async function deriveAddresses({ db, keys }: AddressDeriving): Promise<number> {
  const range = await db.read(WHOLE_SCOPE, async (tx) => {
    // Only the two ends are read, because derived indexes have no gaps.
    const { rows } = await sql<Range>`
      SELECT coalesce((SELECT min(deposit_index) FROM trader), 1) AS first,
        coalesce((SELECT max(deposit_index) FROM trader), 0) AS last,
        (SELECT min(deposit_index) FROM deposit_address) AS low, (SELECT max(deposit_index) FROM deposit_address) AS high`.execute(
      tx.sql,
    );
    return rows[0] as Range;
  });
  const next = nextIndexes(range);
  if (next.length === 0) return 0;
  const addresses = next.map((keyIndex) => keys.addressOf({ role: 'deposit', keyIndex }));
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    sql`INSERT INTO deposit_address (deposit_index, address)
      SELECT * FROM unnest(${next}::integer[], ${addresses}::text[]) ON CONFLICT DO NOTHING`.execute(tx.sql),
  );
  return next.length;
}

/**
 * Compares the addresses of all traders with those of the seed. Money paid to a different address cannot be
 * paid out.
 * @returns how many traders have a different one; the log lists the first hundred
 */
export async function checkAddresses({
  db,
  log,
}: Pick<AddressDeriving, 'db'> & { log: Logger }): Promise<number> {
  const { rows } = await db.read(WHOLE_SCOPE, (tx) =>
    sql<{ id: string; given: string; address: string; count: number }>`
      SELECT t.id, t.deposit_address AS given, d.address, count(*) OVER ()::int AS count
      FROM trader t JOIN deposit_address d USING (deposit_index)
      WHERE lower(t.deposit_address) <> lower(d.address) ORDER BY t.deposit_index LIMIT 100`.execute(tx.sql),
  );
  for (const { id, given, address } of rows)
    log.error({ traderId: id, given, address }, 'the deposit address of a trader is not of this seed');
  return rows[0]?.count ?? 0;
}

interface Range {
  /** Of traders. */
  first: number;
  last: number;
  /** Of what is derived; null: nothing is. */
  low: number | null;
  high: number | null;
}

/** The indexes of one turn. @returns none once everything is derived */
export function nextIndexes({ first, last, low, high }: Range): number[] {
  const ahead = (high ?? last) + 1;
  const upwards = Math.min(last + AHEAD - ahead + 1, AT_ONCE);
  if (upwards > 0) return Array.from({ length: upwards }, (_, n) => ahead + n);
  const below = (low ?? ahead) - 1;
  return Array.from({ length: Math.max(0, Math.min(below - first + 1, AT_ONCE)) }, (_, n) => below - n);
}
