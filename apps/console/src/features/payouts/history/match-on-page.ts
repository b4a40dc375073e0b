import { PAYOUT_STATUSES, RECIPIENT_TYPES } from '@copydesk/domain';
import { statusWords, typeWords } from '../../../lib/payout-words.ts';
import type { Payout } from './history-queries.ts';
import type { PayoutNarrowing } from './history-search.ts';

/** Whether a row of the page contains the text in its address, one of its hashes, its type or its status. */
export function matchesOnPage(row: Payout, text: string): boolean {
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

/**
 * The filter over all payouts for a text: an address or hash that begins with it, or the one type or status that
 * contains it. Null for any other text.
 */
export function narrowingOf(text: string): PayoutNarrowing | null {
  const needle = text.trim().toLowerCase();
  if (needle === '') return null;
  if (isHex(needle)) return { search: needle };
  const found: PayoutNarrowing[] = [
    ...RECIPIENT_TYPES.filter((type) => type.includes(needle) || typeWords(type).includes(needle)).map(
      (type) => ({ type }),
    ),
    ...PAYOUT_STATUSES.filter((status) => status.includes(needle)).map((status) => ({ status })),
  ];
  const exact = found.find(({ type }) => type === needle || (type && typeWords(type) === needle));
  return exact ?? (found.length === 1 ? (found[0] ?? null) : null);
}

const isHex = (text: string) => /^(0x)?[0-9a-f]{3,64}$/i.test(text.trim());
