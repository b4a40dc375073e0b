import { ownerWordWords } from '../../../lib/format/payout-texts.ts';
import type { WaitingAddress } from '../payouts-queries.ts';

/** What the owner of a changed address said of it by Telegram; a confirmed one waits no more, unless it was taken back. */
export function OwnerWord({ word }: { word: WaitingAddress['owner_word'] }) {
  if (!word) return null;
  return (
    <span className={`block font-medium ${word.kind === 'not_me' ? 'text-negative' : 'text-muted'}`}>
      {ownerWordWords(word)}
    </span>
  );
}
