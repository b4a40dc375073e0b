import type { ChainReader } from '../../../integrations/chain/chain-reader.ts';
import type { ChainSender } from '../../../integrations/chain/chain-sender.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { keepBalances, listDueWallets, type Token } from './external-balances.store.ts';

/** Maximum age of a balance before it is read again. */
const FRESH_MS = 5 * 60_000;
/** Wallets per request to a server. */
const WALLETS_AT_ONCE = 200;

export interface ExternalBalances {
  db: Database;
  now: () => Date;
  token: Token;
  finalizedBlock: ChainReader['finalizedBlock'];
  tokenBalances: ChainSender['tokenBalances'];
}

/**
 * Reads the balances of the communities' external wallets at the last final block, for those with an outdated reading
 * or another address.
 * @returns how many were read
 */
export async function readExternalBalances(deps: ExternalBalances): Promise<number> {
  const { db, now, token, finalizedBlock, tokenBalances } = deps;
  const readAt = now();
  const readBefore = new Date(readAt.getTime() - FRESH_MS);
  const wallets = await db.read(WHOLE_SCOPE, (tx) =>
    listDueWallets(tx, token, { readBefore, limit: WALLETS_AT_ONCE }),
  );
  if (wallets.length === 0) return 0;
  const block = await finalizedBlock();
  const units = await tokenBalances(
    wallets.map(({ address }) => address),
    block,
  );
  const balances = wallets.map((wallet, index) => ({ ...wallet, units: units[index] as bigint }));
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    keepBalances(tx, token, { blockNumber: block.number, readAt }, balances),
  );
  return wallets.length;
}
