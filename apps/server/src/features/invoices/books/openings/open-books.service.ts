import {
  type ImportedInvoice,
  type Opening,
  openingJournals,
  planOpening,
  unitsToDecimal,
} from '@copydesk/domain';
import { sql } from 'kysely';
import { postJournals } from '../../../../core/ledger/ledger.service.ts';
import type { WriteTx } from '../../../../platform/db/database.ts';
import { applyOpenPayments } from '../../payments/payments.service.ts';
import * as store from './openings.store.ts';

/** Once for each invoice, and of thousands at once: a quarter of a millisecond a posting is more than a statement may take. */
const OPENING_TIMEOUT_MS = 120_000;

/** What the chain says of a trader's deposit address. Base units, as of the block up to which deposits are booked. */
export interface FoundTokens {
  traderId: string;
  onChainUnits: bigint;
  /** What the books said of that block. */
  bookedUnits: bigint;
}

/**
 * Opens the books of traders whose payments were imported: tokens that are at the deposit address back what was
 * imported, oldest invoice first, and what is not there is settled off the platform. A trader whose books moved since
 * the chain was asked is left for the next time. What came in meanwhile pays invoices from here on.
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
  await store.noteOpened(tx, traderIds);
  await applyOpenPayments(tx, traderIds);
  return traderIds.length;
}

async function post(tx: WriteTx, openings: readonly Opening[]): Promise<void> {
  const drafts = openings.flatMap(openingJournals);
  if (drafts.length === 0) return;
  await sql`SELECT set_config('statement_timeout', ${`${OPENING_TIMEOUT_MS}`}, true)`.execute(tx.sql);
  // All in one: in parts, what the database planned for the first and few rows would be slow for the last.
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
