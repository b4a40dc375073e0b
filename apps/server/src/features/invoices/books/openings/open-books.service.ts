import { type ImportedInvoice, type Opening, openingJournals, planOpening } from '@copydesk/domain/ledger';
import { unitsToDecimal } from '@copydesk/domain/money';
import { postJournals } from '../../../../core/ledger/ledger.service.ts';
import { limitStatements } from '../../../../platform/db/begin.ts';
import type { WriteTx } from '../../../../platform/db/database.ts';
import { applyOpenPayments } from '../../payments/payments.service.ts';
import * as store from './openings.store.ts';

/**
 * Runs once for each invoice, for thousands at a time. At a quarter of a millisecond a posting, that exceeds the usual
 * statement timeout.
 */
const OPENING_TIMEOUT_MS = 120_000;

/** The tokens on chain at a trader's deposit address. Base units, as of the block up to which deposits are booked. */
export interface FoundTokens {
  traderId: string;
  onChainUnits: bigint;
  /** The balance in the books for that block. */
  bookedUnits: bigint;
}

/**
 * Opens the books of traders with imported payments. Tokens at the deposit address back the imported payments, oldest
 * invoice first; the missing rest is settled off-platform. A trader whose books have changed since the chain was read
 * waits for the next turn. Deposits received meanwhile pay invoices from here on.
 * @returns how many traders were opened
 */
export async function openBooks(
  tx: WriteTx,
  found: readonly FoundTokens[],
  atStep?: (step: 'opening_posted') => void,
): Promise<number> {
  const booked = await store.lockUnopened(
    tx,
    found.map(({ traderId }) => traderId),
  );
  const still = found.filter(({ traderId, bookedUnits }) => booked.get(traderId) === bookedUnits);
  const traderIds = still.map(({ traderId }) => traderId);
  if (traderIds.length === 0) return 0;
  const imported = Map.groupBy(await store.listImported(tx, traderIds), ({ traderId }) => traderId);
  const openings = still.flatMap(({ traderId, onChainUnits, bookedUnits }) =>
    planOpening(imported.get(traderId) ?? [], onChainUnits - bookedUnits),
  );
  await post(tx, openings);
  atStep?.('opening_posted');
  await store.saveOffPlatform(tx, openings, 'not_on_chain');
  for (const [traderId, invoices] of imported) audit(tx, traderId, invoices, openings);
  await store.recordOpened(tx, traderIds);
  await applyOpenPayments(tx, traderIds);
  return traderIds.length;
}

async function post(tx: WriteTx, openings: readonly Opening[]): Promise<void> {
  const drafts = openings.flatMap(openingJournals);
  if (drafts.length === 0) return;
  await limitStatements(tx, OPENING_TIMEOUT_MS);
  // Posts all in one statement: a plan made for the first few rows would be slow for the last.
  await postJournals(
    tx,
    drafts.map((draft) => ({ draft })),
  );
}

function audit(
  tx: WriteTx,
  traderId: string,
  invoices: readonly ImportedInvoice[],
  openings: readonly Opening[],
): void {
  const own = openings.filter(({ invoice }) => invoices.includes(invoice));
  const sum = (of: (opening: Opening) => bigint) =>
    unitsToDecimal(own.reduce((total, opening) => total + of(opening), 0n));
  tx.audit({
    action: 'trader.books_opened',
    target: { kind: 'trader', id: traderId },
    after: {
      invoices: own.length,
      backed: sum(({ backedUnits }) => backedUnits),
      settled_off_platform: sum(({ offPlatformUnits }) => offPlatformUnits),
    },
  });
}
