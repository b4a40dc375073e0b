import { poolDepositSeen } from '@copydesk/domain/ledger';
import { bookTransfers } from '../../../core/chain/book-transfers.ts';
import type { ReceivedTransfer, Token, TransferReceiver } from '../../../core/chain/transfer-receiver.ts';
import { postJournals } from '../../../core/ledger/ledger.service.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import * as store from './pool-deposits.store.ts';

/**
 * Receives what arrives at the pool addresses of members. Each transfer is a deposit that waits until the pool opens; it
 * is booked whatever the pool does, because it is a fact of the chain.
 */
export function createPoolDepositReceiver({ log }: { log: Logger }): TransferReceiver {
  return {
    listAddresses: store.listMemberAddresses,
    async receive(tx, token, transfers) {
      const traders = await store.findTraders(
        tx,
        transfers.map(({ ownerId }) => ownerId),
      );
      await bookTransfers(
        tx,
        {
          log,
          token,
          book: (attempted, bookable) => bookPoolDeposits(attempted, token, bookable),
          traderOf: (memberId) => traders.get(memberId) as string,
        },
        transfers,
      );
    },
  };
}

async function bookPoolDeposits(
  tx: WriteTx,
  token: Token,
  transfers: readonly ReceivedTransfer[],
): Promise<void> {
  const deposits = await store.insertPoolDeposits(tx, token, transfers);
  if (deposits.length === 0) return;
  await postJournals(
    tx,
    deposits.map(({ id, memberId, units }) => ({
      draft: poolDepositSeen(memberId, units, { type: 'pool_deposit', id }),
    })),
  );
}
