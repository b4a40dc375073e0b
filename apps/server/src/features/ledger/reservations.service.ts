import { accountKey, type LedgerAccount, LedgerError, type LedgerSource } from '@copydesk/domain';
import type { WriteTx } from '../../platform/db/database.ts';
import { requireWholeScope } from './ledger.service.ts';
import { lockBalances, openAccounts } from './ledger.store.ts';
import * as store from './reservations.store.ts';

/**
 * Sets amounts aside, so that nobody else can promise them: each is posted by a journal (`postJournal`) or voided,
 * once. The same source reserves the same once.
 * @throws LedgerError `overdrawn`, or `reservation_taken` when the source has reserved another amount before
 * @returns ids of the reservations, in the order asked
 */
export async function reserve(
  tx: WriteTx,
  source: LedgerSource,
  amounts: readonly { account: LedgerAccount; units: bigint }[],
): Promise<string[]> {
  requireWholeScope(tx);
  const accounts = await openAccounts(
    tx,
    amounts.map(({ account }) => account),
  );
  await lockBalances(tx, accounts.values());
  const ids: string[] = [];
  for (const { account, units } of amounts) {
    const accountId = accounts.get(accountKey(account)) as string;
    const reservation = await store.insertReservation(tx, { accountId, units, source });
    if (!reservation.is_new && BigInt(reservation.amount) !== units)
      throw new LedgerError('reservation_taken', `${source.type} ${source.id}, ${accountKey(account)}`);
    ids.push(reservation.id);
  }
  return ids;
}

/**
 * Gives back what was set aside. Voiding again changes nothing.
 * @throws LedgerError `reservation_ended` when one of them was posted
 */
export async function voidReservations(tx: WriteTx, reservationIds: readonly string[]): Promise<void> {
  requireWholeScope(tx);
  await lockBalances(tx, await store.listReservedAccounts(tx, reservationIds));
  await store.endReservations(tx, reservationIds, null);
  if ((await store.countVoided(tx, reservationIds)) < reservationIds.length)
    throw new LedgerError('reservation_ended', 'a reservation that was posted, or is none');
}
