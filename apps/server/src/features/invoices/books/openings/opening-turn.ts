import { type Database, WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { retryConflicts } from '../../../../platform/db/retry-conflicts.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import { openBooks } from './open-books.service.ts';
import { listUnopened } from './openings.store.ts';

/** Traders per transaction: each has about ten imported invoices. */
const TRADERS_AT_ONCE = 50;

export interface OpeningTurn {
  db: Database;
  token: { chainId: number; tokenAddress: string };
  /**
   * Token balances of these addresses as of a block, base units, in the same order. By its hash: a server that does not
   * have the block yet must not answer with nothing, because a payment that is not found is settled off-platform.
   */
  tokenBalances(addresses: readonly string[], block: { hash: `0x${string}` }): Promise<bigint[]>;
  /** Called where a crash could happen; tests stop the process there. */
  atStep?(step: 'opening_posted'): void;
}

/**
 * Opens the books of the next traders with imported payments, from the chain's balances at the block up to which
 * deposits are booked.
 * @returns whether there may be more
 */
export async function takeOpeningTurn({ db, token, tokenBalances, atStep }: OpeningTurn): Promise<boolean> {
  const next = await db.read(WHOLE_SCOPE, (tx) => listUnopened(tx, token, TRADERS_AT_ONCE));
  if (!next || next.traders.length === 0) return false;
  const { traders, block } = next;
  const addressed = traders.filter(({ depositAddress }) => depositAddress !== null);
  const balances = await tokenBalances(
    addressed.map(({ depositAddress }) => depositAddress as string),
    block,
  );
  const onChain = new Map(addressed.map(({ id }, index) => [id, balances[index] ?? 0n]));
  const opened = await retryConflicts(() =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      openBooks(
        tx,
        traders.map(({ id, bookedUnits }) => ({
          traderId: id,
          bookedUnits,
          onChainUnits: onChain.get(id) ?? 0n,
        })),
        atStep,
      ),
    ),
  );
  return opened > 0;
}
