import type { Token } from '../../../core/chain/transfer-receiver.ts';
import type { ChainReader } from '../../../integrations/chain/chain-reader.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import * as store from './other-tokens.store.ts';

/** Ten requests of 1,000 addresses. */
const ADDRESSES_AT_ONCE = 10_000;
/** After this long a part whose search failed, or whose worker ended, is searched again. */
const LEASE_MS = 60_000;
/** A round begins after this long with fewer blocks than a request takes. */
const ROUND_EVERY_MS = 600_000;

export interface AllAddresses {
  db: Database;
  chain: Pick<ChainReader, 'otherTransfersIn'>;
  token: Token;
  /** Blocks of a round. */
  blocksAtOnce: number;
  now: () => Date;
  /** Addresses of a turn. */
  addressesAtOnce?: number;
}

/**
 * Notes other tokens at every address of ours, one part of a round in a turn. A round searches the next final blocks, as
 * many as a request takes, at all addresses in their order; the next round begins after its last block, so no address
 * misses a block. An address that is made during a round had nothing before. Those that move are searched here as well:
 * which ones move changes, and what is listed already stays as it is.
 *
 * A round of 100,000 addresses is ten turns of eleven requests, one of them for the head. BNB Smart Chain makes 500 blocks
 * in 225 s: 16 rounds an hour, 1,760 requests, and a transfer is listed within 6 minutes of its final block. A turn every
 * ten seconds keeps up with 220,000 addresses; the caller takes further turns sooner.
 * @returns whether rounds wait for this one
 */
export async function searchAllAddresses({
  db,
  chain,
  token,
  blocksAtOnce,
  now,
  addressesAtOnce = ADDRESSES_AT_ONCE,
}: AllAddresses): Promise<boolean> {
  const at = now();
  const lease = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    store.leaseRound(tx, token, {
      at,
      until: new Date(at.getTime() + LEASE_MS),
      begunBefore: new Date(at.getTime() - ROUND_EVERY_MS),
      blocksAtOnce,
    }),
  );
  if (!lease) return false;
  const addresses = await db.read(WHOLE_SCOPE, (tx) =>
    store.listAddressesAfter(tx, token, { after: lease.afterAddress, limit: addressesAtOnce }),
  );
  const found = await chain.otherTransfersIn({ from: lease.after + 1n, to: lease.to }, addresses);
  const last = addresses.length < addressesAtOnce ? null : (addresses.at(-1) ?? null);
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await store.addTransfers(tx, token, found);
    await store.endLease(tx, token, lease, last);
  });
  return lease.isBehind;
}
