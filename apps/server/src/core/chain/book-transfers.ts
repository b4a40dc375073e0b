import { LEDGER_UNITS_LIMIT } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { isRefusedByRules } from '../../platform/db/refused-by-rules.ts';
import { inSavepoint } from '../../platform/db/savepoint.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { type SetAsideReason, setAside } from './set-aside.store.ts';
import type { ReceivedTransfer, Token } from './transfer-receiver.ts';

export interface Booking {
  log: Logger;
  token: Token;
  /** Books transfers in the order of the chain, each once. */
  book(tx: WriteTx, transfers: readonly ReceivedTransfer[]): Promise<void>;
  /** The trader whose money a transfer is, by the owner of the address. */
  traderOf(ownerId: string): string;
}

/** Books transfers together; if the books refuse one, books each separately and sets that one aside. */
export async function bookTransfers(
  tx: WriteTx,
  booking: Booking,
  transfers: readonly ReceivedTransfer[],
): Promise<void> {
  const bookable: ReceivedTransfer[] = [];
  for (const transfer of transfers) {
    if (transfer.units < LEDGER_UNITS_LIMIT) bookable.push(transfer);
    else await review(tx, booking, transfer, 'amount_too_large');
  }
  if (await isBooked(tx, booking, bookable)) return;
  for (const transfer of bookable)
    if (!(await isBooked(tx, booking, [transfer]))) await review(tx, booking, transfer, 'cannot_be_booked');
}

async function isBooked(
  tx: WriteTx,
  { book, log }: Booking,
  transfers: readonly ReceivedTransfer[],
): Promise<boolean> {
  try {
    await inSavepoint(tx, async (attempted) => {
      await book(attempted, transfers);
      // Runs deferred constraints now, while a refusal can still be rolled back.
      await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(attempted.sql);
      await sql`SET CONSTRAINTS ALL DEFERRED`.execute(attempted.sql);
    });
    return true;
  } catch (error) {
    if (!isRefusedByRules(error)) throw error;
    log.warn({ err: error, transfers: transfers.length }, 'the books refuse deposits');
    return false;
  }
}

/** Stores a transfer that the books cannot take, for a person to review. */
async function review(
  tx: WriteTx,
  { token, log, traderOf }: Booking,
  transfer: ReceivedTransfer,
  reason: SetAsideReason,
): Promise<void> {
  const { transactionHash, logIndex, ownerId, units } = transfer;
  const traderId = traderOf(ownerId);
  if (!(await setAside(tx, token, transfer, traderId, reason))) return;
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
