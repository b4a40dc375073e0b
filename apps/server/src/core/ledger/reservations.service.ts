import { accountKey, type LedgerAccount, LedgerError, type LedgerSource } from '@copydesk/domain/ledger';
import type { WriteTx } from '../../platform/db/database.ts';
import { requireWholeScope } from './ledger.service.ts';
import { lockBalances, openAccounts } from './ledger.store.ts';
import * as store from './reservations.store.ts';

/** An amount that a source reserves in an account. */
export interface Reservation {
  source: LedgerSource;
  account: LedgerAccount;
  units: bigint;
}

/**
 * Reserves amounts, so nothing else can promise them. Each reservation is consumed by a journal (`postJournal`) or
 * voided, once. A source reserves once per account: a repeated call returns the same reservation. Takes a few
 * statements for any number of reservations.
 * @throws LedgerError `overdrawn`, or `reservation_taken` when a source has reserved another amount before
 * @returns ids of the reservations, in the order asked
 */
export async function reserveAll(tx: WriteTx, wanted: readonly Reservation[]): Promise<string[]> {
  requireWholeScope(tx);
  if (wanted.length === 0) return [];
  const accounts = await openAccounts(
    tx,
    wanted.map(({ account }) => account),
  );
  await lockBalances(tx, accounts.values());
  const reservations = wanted.map(({ source, account, units }) => ({
    source,
    units,
    accountId: accounts.get(accountKey(account)) as string,
  }));
  await store.insertReservations(tx, reservations);
  const made = new Map(
    (await store.findReservations(tx, reservations)).map((row) => [
      nameOf({ type: row.source_type, id: row.source_id }, row.account_id),
      row,
    ]),
  );
  return reservations.map(({ source, accountId, units }) => {
    const reservation = made.get(nameOf(source, accountId)) as store.ReservationRow;
    if (BigInt(reservation.amount) !== units)
      throw new LedgerError('reservation_taken', `${source.type} ${source.id}, account ${accountId}`);
    return reservation.id;
  });
}

/** Reserves amounts of one source; see `reserveAll`. */
export function reserve(
  tx: WriteTx,
  source: LedgerSource,
  amounts: readonly { account: LedgerAccount; units: bigint }[],
): Promise<string[]> {
  return reserveAll(
    tx,
    amounts.map((amount) => ({ source, ...amount })),
  );
}

const nameOf = ({ type, id }: LedgerSource, accountId: string) => `${type} ${id} ${accountId}`;

/**
 * Voids reservations. Voiding again changes nothing.
 * @throws LedgerError `reservation_ended` when one of them was posted
 */
export async function voidReservations(tx: WriteTx, reservationIds: readonly string[]): Promise<void> {
  requireWholeScope(tx);
  await lockBalances(tx, await store.listReservedAccounts(tx, reservationIds));
  await store.endReservations(tx, reservationIds, null);
  if ((await store.countVoided(tx, reservationIds)) < reservationIds.length)
    throw new LedgerError('reservation_ended', 'a reservation is missing or already posted');
}
