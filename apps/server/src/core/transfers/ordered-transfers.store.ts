import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import type { Transfer } from './transfer.ts';

// Transfers, for features that order and cancel them. The engine does the rest.

/** A transfer to order. Units are base units of the token. */
export interface NewTransfer extends Pick<Transfer, 'id' | 'kind' | 'to' | 'units' | 'subjectId'> {
  walletId: string;
  communityId: string;
  token: string;
}

/** The chain and the token of an order. */
export interface OrderPlace {
  chainId: number;
  tokenAddress: string;
}

/**
 * Orders the transfers of payouts of an approved distribution. The database derives wallet, recipient and amount from the
 * payouts.
 */
export async function orderPayouts(
  tx: WriteTx,
  { chainId, tokenAddress }: OrderPlace,
  orders: readonly { id: string; payoutId: string }[],
): Promise<void> {
  await sql`SELECT app.order_payouts(${chainId}, ${tokenAddress}, ${orders.map(({ id }) => id)}::uuid[],
    ${orders.map(({ payoutId }) => payoutId)}::uuid[])`.execute(tx.sql);
}

/**
 * Orders transfers that empty deposit addresses of these shares, which name them from then on.
 * @returns how many shares name one: fewer when one of them was consolidated meanwhile
 */
export async function orderConsolidations(
  tx: WriteTx,
  { chainId, tokenAddress }: OrderPlace,
  orders: readonly { id: string; payableIds: readonly string[] }[],
): Promise<number> {
  const backed = orders.flatMap(({ id, payableIds }) => payableIds.map((payableId) => ({ id, payableId })));
  const { rows } = await sql<{ count: number }>`
    SELECT app.order_consolidations(${chainId}, ${tokenAddress}, ${backed.map(({ id }) => id)}::uuid[],
      ${backed.map(({ payableId }) => payableId)}::uuid[]) AS count`.execute(tx.sql);
  return rows[0]?.count ?? 0;
}

/** Orders the return of a queued deposit of a pool to the present address of its member. */
export async function orderPoolReturn(
  tx: WriteTx,
  { chainId, tokenAddress }: OrderPlace,
  { id, depositId }: { id: string; depositId: string },
): Promise<void> {
  await sql`SELECT app.order_pool_return(${chainId}, ${tokenAddress}, ${id}, ${depositId})`.execute(tx.sql);
}

/** Orders that credit is sent back to its trader, as this order says that was approved in this transaction. */
export async function orderCreditReturn(
  tx: WriteTx,
  { chainId, tokenAddress }: OrderPlace,
  { id, orderId }: { id: string; orderId: string },
): Promise<void> {
  await sql`SELECT app.order_credit_return(${chainId}, ${tokenAddress}, ${id}, ${orderId})`.execute(tx.sql);
}

/** Orders that unexplained money is sent back, as a decision of two people says. */
export async function orderSendingBack(
  tx: WriteTx,
  { chainId, tokenAddress }: OrderPlace,
  { id, decisionId }: { id: string; decisionId: string },
): Promise<void> {
  await sql`SELECT app.order_sending_back(${chainId}, ${tokenAddress}, ${id}, ${decisionId})`.execute(tx.sql);
}

/** Orders the transfer of a planned attempt of a cycle to the exchange. */
export async function orderPoolFunding(
  tx: WriteTx,
  { chainId, tokenAddress }: OrderPlace,
  { id, cycleId, attempt }: { id: string; cycleId: string; attempt: number },
): Promise<void> {
  await sql`SELECT app.order_pool_funding(${chainId}, ${tokenAddress}, ${id}, ${cycleId}, ${attempt})`.execute(
    tx.sql,
  );
}

/** Orders transfers of a pool's cycle. For the worker, which alone may name wallet, recipient and amount. */
export async function orderTransfers(tx: WriteTx, transfers: readonly NewTransfer[]): Promise<void> {
  const column = <K extends keyof NewTransfer>(key: K) => transfers.map((each) => each[key]);
  await sql`
    INSERT INTO transfer (id, kind, wallet_id, community_id, payout_id, to_address, token_address, amount_units)
    SELECT * FROM unnest(${column('id')}::uuid[], ${column('kind')}::text[], ${column('walletId')}::uuid[],
      ${column('communityId')}::uuid[], ${column('subjectId')}::uuid[], ${column('to')}::text[],
      ${column('token')}::text[], ${transfers.map(({ units }) => units.toString())}::numeric[])`.execute(
    tx.sql,
  );
}

/** Voids unsigned transfers of these subjects. @returns how many */
export async function voidPlanned(tx: WriteTx, subjectIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ voided: number }>`
    SELECT app.void_planned(${[...subjectIds]}::uuid[]) AS voided`.execute(tx.sql);
  return rows[0]?.voided ?? 0;
}

/** Requests the cancellation of a sent transfer, which spends its nonce on an empty transaction. */
export async function askCancel(tx: WriteTx, subjectId: string): Promise<void> {
  await sql`SELECT app.ask_cancel(${subjectId})`.execute(tx.sql);
}

/**
 * Voids those of these transfers that are not signed and cannot be: the chain or a limit refuses them, or their wallet is
 * frozen. Those that only wait for gas stay. @returns the ids of those that were voided
 */
export async function voidUnsignable(tx: WriteTx, transferIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT app.void_unsignable(${[...transferIds]}::uuid[]) AS id`.execute(tx.sql);
  return rows.map(({ id }) => id);
}
