import { randomUUID } from 'node:crypto';
import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import { insertDeposits, setPayments } from '../../../apps/server/src/features/deposits/deposits.store.ts';
import { takeOpeningTurn } from '../../../apps/server/src/features/invoices/books/openings/opening-turn.ts';
import {
  type BookedPayment,
  bookPayments,
} from '../../../apps/server/src/features/invoices/payments/payments.service.ts';
import { beginInvoicing } from '../../../apps/server/src/features/invoices/runs/invoicing.jobs.ts';
import { takeInvoicingTurn } from '../../../apps/server/src/features/invoices/runs/invoicing-turn.ts';
import { createDepositAddresses } from '../../../apps/server/src/integrations/chain/deposit-addresses.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../apps/server/src/platform/db/database.ts';
import { retryConflicts } from '../../../apps/server/src/platform/db/retry-conflicts.ts';
import type { TestApp } from '../test-app.ts';
import type { Owner } from './rows.ts';
import { usdt } from './usdt.ts';

export const WORKER = { kind: 'system', id: 'test-worker', name: 'Worker' } as const;
/** Of the mnemonic "test test test test test test test test test test test junk". */
export const ACCOUNT_KEY =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';
export const ADDRESSES = createDepositAddresses(ACCOUNT_KEY);

/** What a worker of this world needs to take turns of invoicing. */
export const invoicingDeps = ({ log }: Pick<TestApp, 'log'>, db: Database) => ({
  db,
  log,
  now: () => new Date(),
  leaseMs: 60_000,
  addresses: ADDRESSES,
  settings: { current: () => SETTING_DEFAULTS },
});

/** Every surplus up to this is a tip, in whole USDT: most tests of tips are about larger ones than the default allows. */
export const allowTips = (owner: Owner, upTo: bigint) =>
  owner(
    `INSERT INTO platform_setting_default (name, value, noted_at) VALUES ('tip_up_to_usdt', to_jsonb($1::text), now())
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [upTo.toString()],
  );

/** Starts a run over all traders and completes it. */
export async function runInvoicing(product: Pick<TestApp, 'db' | 'log'>): Promise<void> {
  await beginInvoicing(product.db);
  while (await takeInvoicingTurn(invoicingDeps(product, product.db))) {
    // until none is left
  }
}

/**
 * Opens the books of all traders with imported payments.
 * @param found tokens at a deposit address beyond the books
 */
export async function openBooks(
  { db }: Pick<TestApp, 'db'>,
  owner: Owner,
  found: (address: string) => bigint,
): Promise<void> {
  await owner(`INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash)
    VALUES (1, '0x' || repeat('0', 40), 0, '0x' || repeat('0', 64)) ON CONFLICT DO NOTHING`);
  const turn = {
    db,
    token: { chainId: 1, tokenAddress: `0x${'0'.repeat(40)}` },
    tokenBalances: async (addresses: readonly string[]) => addresses.map(found),
  };
  while (await takeOpeningTurn(turn)) {
    // until all are opened
  }
}

/** More at every deposit address than was ever imported. */
export const RICH = () => usdt(1e9);

/** Books a payment like the worker. */
export function bookPayment(
  db: Database,
  traderId: string,
  units: bigint,
  source: { type: string; id: string } = { type: 'deposit', id: randomUUID() },
): Promise<BookedPayment> {
  const payment = {
    traderId,
    units,
    source,
    transactionHash: `0x${'a'.repeat(64)}`,
    receivedAt: new Date(),
  };
  return retryConflicts(() =>
    db.write(WHOLE_SCOPE, WORKER, async (tx) => {
      const [booked] = await bookPayments(tx, [payment]);
      if (booked && source.type === 'deposit') await recordDeposit(tx, payment, booked.paymentId);
      return booked as BookedPayment;
    }),
  );
}

/** The deposit behind a payment, on a chain of its own: a worker looks for it before it pays the shares out. */
async function recordDeposit(
  tx: WriteTx,
  { traderId, units }: { traderId: string; units: bigint },
  paymentId: string,
): Promise<void> {
  const hash = `0x${paymentId.replaceAll('-', '')}${traderId.replaceAll('-', '')}`;
  const token = { chainId: 999, tokenAddress: `0x${'0'.repeat(40)}` };
  const [deposit] = await insertDeposits(tx, token, [
    {
      transactionHash: hash as `0x${string}`,
      logIndex: 0,
      block: { number: 1n, hash: `0x${'b'.repeat(64)}` },
      from: `0x${'c'.repeat(40)}`,
      to: `0x${'d'.repeat(40)}`,
      units,
      ownerId: traderId,
    },
  ]);
  if (deposit) await setPayments(tx, [{ depositId: deposit.id, paymentId }]);
}
