import { Counter, type Registry } from 'prom-client';
import type { Block, ChainReader, TokenTransfer } from '../../integrations/chain/chain-reader.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { retryConflicts } from '../../platform/db/retry-conflicts.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { findMissing } from './late-transfers.views.ts';
import { listOwners, receiveTransfers } from './receive-transfers.ts';
import type { Token, TransferReceiver } from './transfer-receiver.ts';

export interface LateBooking {
  db: Database;
  log: Logger;
  token: Token;
  receivers: readonly TransferReceiver[];
  chain: Pick<ChainReader, 'allTransfersIn'>;
}

/** What showed that a block has a transfer that is not booked. */
export type LateEvidence = 'balance' | 'second_reading';

const foundLate = new Counter({
  name: 'copydesk_chain_found_late_total',
  help: 'Token transfers that the reading of blocks missed, by what found them',
  labelNames: ['by'],
  registers: [],
});
for (const by of ['balance', 'second_reading'] satisfies LateEvidence[]) foundLate.inc({ by }, 0);

/** Shows how many transfers this process has booked late. */
export function registerFoundLate(registry: Registry): void {
  registry.registerMetric(foundLate);
}

/**
 * Reads a block again by its hash, and books what it moved to addresses of ours and is not booked. Every receiver stores
 * a transfer once, so this may run beside the watch.
 * @returns the transfers that were missing
 */
export async function bookLate(deps: LateBooking, block: Block, by: LateEvidence): Promise<TokenTransfer[]> {
  const { db, log, token, receivers, chain } = deps;
  const owners = await db.read(WHOLE_SCOPE, (tx) => listOwners(tx, receivers));
  const addresses = new Set(owners.flatMap((byAddress) => [...byAddress.keys()]));
  const transfers = await chain.allTransfersIn(block, addresses);
  const missing = await retryConflicts(() =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const found = await findMissing(tx, token, transfers);
      if (found.length === 0) return found;
      await receiveTransfers(tx, deps, owners, found);
      for (const { transactionHash, logIndex, to, units } of found)
        tx.audit({
          action: 'deposit.found_late',
          target: { kind: 'chain', id: String(token.chainId) },
          after: {
            by,
            block_number: block.number.toString(),
            transaction_hash: transactionHash,
            log_index: logIndex,
            to_address: to,
            units: units.toString(),
          },
        });
      return found;
    }),
  );
  for (const { to, units, transactionHash } of missing)
    log.warn(
      { address: to, blockNumber: block.number.toString(), transactionHash, units: units.toString(), by },
      'a transfer that reading had missed is booked',
    );
  foundLate.inc({ by }, missing.length);
  return missing;
}
