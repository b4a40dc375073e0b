import { LEDGER_UNITS_LIMIT } from '@copydesk/domain';
import { sql } from 'kysely';
import type { ReceivedTransfer, Token, TransferReceiver } from '../../core/chain/transfer-receiver.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { isRefusedByRules } from '../../platform/db/refused-by-rules.ts';
import { inSavepoint } from '../../platform/db/savepoint.ts';
import type { Logger } from '../../platform/log/log.ts';
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

type Receiving = ReceiveDepositsDeps & { token: Token };

/** Receives what arrives at the deposit addresses of traders: each transfer is a deposit, and booked as a payment. */
export function createDepositReceiver(deps: ReceiveDepositsDeps): TransferReceiver {
  return {
    listAddresses: store.listDepositAddresses,
    receive: (tx, token, transfers) => bookTransfers(tx, { ...deps, token }, transfers),
  };
}

/** Books transfers together; if the books refuse one, books each separately and sets that one aside. */
async function bookTransfers(
  tx: WriteTx,
  receiving: Receiving,
  transfers: readonly ReceivedTransfer[],
): Promise<void> {
  const bookable: ReceivedTransfer[] = [];
  for (const transfer of transfers) {
    if (transfer.units < LEDGER_UNITS_LIMIT) bookable.push(transfer);
    else await setAside(tx, receiving, transfer, 'amount_too_large');
  }
  if (await isBooked(tx, receiving, bookable)) return;
  for (const transfer of bookable)
    if (!(await isBooked(tx, receiving, [transfer])))
      await setAside(tx, receiving, transfer, 'cannot_be_booked');
}

async function isBooked(
  tx: WriteTx,
  receiving: Receiving,
  transfers: readonly ReceivedTransfer[],
): Promise<boolean> {
  try {
    await inSavepoint(tx, (attempted) => bookTogether(attempted, receiving, transfers));
    return true;
  } catch (error) {
    if (!isRefusedByRules(error)) throw error;
    receiving.log.warn({ err: error, transfers: transfers.length }, 'the books refuse deposits');
    return false;
  }
}

async function bookTogether(
  tx: WriteTx,
  { token, book, now }: Receiving,
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
  // Runs deferred constraints now, while a refusal can still be rolled back.
  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx.sql);
  await sql`SET CONSTRAINTS ALL DEFERRED`.execute(tx.sql);
}

async function setAside(
  tx: WriteTx,
  { token, log }: Receiving,
  transfer: ReceivedTransfer,
  reason: store.SetAsideReason,
): Promise<void> {
  if (!(await store.setAside(tx, token, transfer, reason))) return;
  const { transactionHash, logIndex, ownerId: traderId, units } = transfer;
  log.error(
    { transactionHash, logIndex, traderId, units: units.toString(), reason },
    'a deposit was set aside: the books cannot take it',
  );
  tx.audit({
    action: 'deposit.set_aside',
    target: { kind: 'trader', id: traderId },
    after: { transaction_hash: transactionHash, log_index: logIndex, units: units.toString(), reason },
  });
}
