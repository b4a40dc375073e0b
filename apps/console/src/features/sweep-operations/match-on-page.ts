import { statusWords, typeWords } from '../../lib/payout-words.ts';
import type { SweepOperation } from './sweeps-queries.ts';

/** Whether a row of the page has the text in its address, one of its hashes, its type or its status. */
export function matchesOnPage(row: SweepOperation, text: string): boolean {
  const needle = text.trim().toLowerCase();
  return [
    row.recipient_address,
    row.consolidate_transaction_hash,
    row.distribute_transaction_hash,
    row.recipient_type,
    typeWords(row.recipient_type),
    statusWords(row.status),
  ].some((field) => field?.toLowerCase().includes(needle));
}

/** Whether a text can be the beginning of an address or a hash, which the server looks for among all payouts. */
export const isHex = (text: string) => /^(0x)?[0-9a-f]{3,64}$/i.test(text.trim());
