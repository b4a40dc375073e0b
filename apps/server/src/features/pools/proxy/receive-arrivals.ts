import {
  LEDGER_UNITS_LIMIT,
  poolBounced,
  poolFundsReturned,
  poolUnexplainedIn,
} from '@copydesk/domain/ledger';
import { arrivalJournalKind } from '@copydesk/domain/pools';
import type { ReceivedTransfer, Token, TransferReceiver } from '../../../core/chain/transfer-receiver.ts';
import { postJournal } from '../../../core/ledger/ledger.service.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { saveFundingState } from '../harvest/funding.store.ts';
import * as store from './arrivals.store.ts';

/**
 * Receives what arrives at the proxy wallets of pools from elsewhere. It is booked whatever the pool does, because it is
 * a fact of the chain; only its meaning depends on the cycle.
 */
export function createProxyReceiver({ log }: { log: Logger }): TransferReceiver {
  return {
    listAddresses: store.listProxyAddresses,
    async receive(tx, token, transfers) {
      const own = await store.findOwnSenders(
        tx,
        token.chainId,
        transfers.map(({ from }) => from),
      );
      const arrived = transfers.filter(({ from }) => !own.has(from.toLowerCase()));
      await store.holdCycles(
        tx,
        arrived.map(({ ownerId }) => ownerId),
      );
      for (const transfer of arrived) await book(tx, log, token, transfer);
    },
  };
}

async function book(tx: WriteTx, log: Logger, token: Token, transfer: ReceivedTransfer): Promise<void> {
  const { ownerId: poolId, transactionHash, units } = transfer;
  if (units >= LEDGER_UNITS_LIMIT) {
    log.error({ poolId, transactionHash }, 'an arrival at a proxy wallet is too large for the books');
    return;
  }
  const cycle = await store.lockArrivalCycle(tx, poolId);
  const { cycleId, isValued, funding } = cycle;
  const isKnown = await store.isWithdrawal(tx, poolId, transactionHash);
  const isBounce = !isKnown && funding?.units === units;
  const match = isKnown ? 'withdrawal' : isBounce ? 'bounce' : null;
  const kind = arrivalJournalKind({ match, isValued });
  const state =
    kind === 'pool_bounced' ? 'bounced' : kind === 'pool_funds_returned' ? 'returned' : 'unexplained';
  const id = await store.insertArrival(tx, token, transfer, { cycleId, state });
  if (id === null) return;
  const source = { type: 'pool_arrival', id };
  if (state === 'returned') await postJournal(tx, poolFundsReturned(poolId, units, source));
  else if (state === 'unexplained') await postJournal(tx, poolUnexplainedIn(poolId, units, source));
  else if (funding) {
    const { attempt } = funding;
    await postJournal(tx, poolBounced(poolId, units, { type: 'harvest_cycle', id: `${cycleId}:${attempt}` }));
    await saveFundingState(tx, cycleId, { attempt, state: 'bounced', creditedUnits: 0n });
  }
  tx.audit({
    action: `pool.arrival_${state}`,
    target: { kind: 'pool', id: poolId },
    after: { transaction_hash: transactionHash, units: units.toString(), from: transfer.from },
  });
}
