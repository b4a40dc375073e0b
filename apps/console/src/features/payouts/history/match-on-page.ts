import { PAYOUT_STATUSES, RECIPIENT_TYPES } from '@copydesk/domain/catalogue';
import { searchedText } from '@copydesk/domain/text';
import { statusWords, typeWords } from '../../../lib/format/payout-texts.ts';
import { SHORTEST_NAME } from '../../../lib/list/named-like.ts';
import type { Payout } from './history-queries.ts';
import type { PayoutNarrowing } from './history-search.ts';

/** Whether a row of the page contains the text in an address, hash or id, its community, its type or its status. */
export function matchesOnPage(row: Payout, text: string): boolean {
  const needle = searchedText(text).toLowerCase();
  return [
    row.id,
    row.community?.name,
    row.recipient_address,
    row.consolidate_transaction_hash,
    row.distribute_transaction_hash,
    row.recipient_type,
    typeWords(row.recipient_type),
    statusWords(row.status),
  ].some((field) => field?.toLowerCase().includes(needle));
}

/**
 * The filter over all payouts for a text: the one type or status that contains it, or else the search of an address, hash
 * or id that begins with it, or of a community. Null for what would find nearly everything.
 */
export function narrowingOf(text: string): PayoutNarrowing | null {
  const needle = searchedText(text).toLowerCase();
  if (needle === '') return null;
  if (isHex(needle)) return { search: needle };
  const found: PayoutNarrowing[] = [
    ...RECIPIENT_TYPES.filter((type) => type.includes(needle) || typeWords(type).includes(needle)).map(
      (type) => ({ type }),
    ),
    ...PAYOUT_STATUSES.filter((status) => status.includes(needle)).map((status) => ({ status })),
  ];
  const exact = found.find(({ type }) => type === needle || (type && typeWords(type) === needle));
  const [only] = found;
  if (exact ?? only) return exact ?? (found.length === 1 ? (only ?? null) : null);
  return needle.length < SHORTEST_NAME || needle === '0x' ? null : { search: needle };
}

const isHex = (text: string) => /^(0x)?[0-9a-f][0-9a-f-]{2,63}$/.test(text);
