import { bookTransfers } from '../../core/chain/book-transfers.ts';
import type { ReceivedTransfer, Token, TransferReceiver } from '../../core/chain/transfer-receiver.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/observe/log.ts';
import * as store from './deposits.store.ts';

export interface ReceiveDepositsDeps {
  log: Logger;
  now: () => Date;
  /** Books money for traders within the transaction, each source once; returns results in the same order. */
  book(tx: WriteTx, payments: readonly SeenPayment[]): Promise<{ paymentId: string }[]>;
}

interface SeenPayment {
  traderId: string;
  units: bigint;
  source: { type: string; id: string };
  transactionHash: string;
  receivedAt: Date;
}

/** Receives what arrives at the deposit addresses of traders: each transfer is a deposit, and booked as a payment. */
export function createDepositReceiver(deps: ReceiveDepositsDeps): TransferReceiver {
  return {
    listAddresses: store.listDepositAddresses,
    listAwaited: store.listOwingAddresses,
    receive: (tx, token, transfers) =>
      bookTransfers(
        tx,
        {
          log: deps.log,
          token,
          book: (attempted, bookable) => bookDeposits(attempted, deps, token, bookable),
          traderOf: (traderId) => traderId,
        },
        transfers,
      ),
  };
}

async function bookDeposits(
  tx: WriteTx,
  { book, now }: ReceiveDepositsDeps,
  token: Token,
  transfers: readonly ReceivedTransfer[],
): Promise<void> {
  const deposits = await store.insertDeposits(tx, token, transfers);
  if (deposits.length === 0) return;
  const receivedAt = now();
  const booked = await book(
    tx,
    deposits.map(({ id, ...deposit }) => ({ ...deposit, source: { type: 'deposit', id }, receivedAt })),
  );
  await store.setPayments(
    tx,
    deposits.map(({ id }, index) => ({ depositId: id, paymentId: booked[index]?.paymentId as string })),
  );
}
