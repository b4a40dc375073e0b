import type { DepositAddress, PoolAccount } from '../../../../integrations/exchanges/pool-records.ts';
import type { PoolVenue } from '../../../../integrations/exchanges/pool-venue.ts';
import { type Database, WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import { readOwnAddress } from '../../keys/read-own-address.ts';
import { saveReadAddress } from './deposit-address.store.ts';

/**
 * Reads the deposit address at the exchange and stores it, so that a changed one stops the next funding transfer. Where
 * the key may not read it (null), the approved address alone counts.
 * @throws GatewayError when the exchange cannot be read
 */
export async function refreshDepositAddress(
  { db, venue, now }: { db: Database; venue: Pick<PoolVenue, 'readDepositAddress'>; now: () => Date },
  poolId: string,
  account: PoolAccount,
): Promise<DepositAddress | null> {
  const found = await readOwnAddress(venue, account);
  if (found === null) return null;
  const { address } = found;
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => saveReadAddress(tx, poolId, { address, at: now() }));
  return found;
}
