import { shortId } from '@copydesk/domain/money';
import { exactUsdt } from '../../../lib/format/usdt.ts';
import type { Tone } from '../../../ui/feedback/badge.tsx';
import type { PoolMovement } from '../pools-queries.ts';

export const KIND_WORDS: Record<PoolMovement['kind'], string> = {
  withdrawal: 'Withdrawal',
  deposit: 'Deposit',
};

/** How far a movement is at the exchange. */
export const VENUE_LOOKS: Record<PoolMovement['state'], { text: string; tone: Tone }> = {
  under_way: { text: 'Under way', tone: 'accent' },
  done: { text: 'Done', tone: 'neutral' },
  ended: { text: 'Came to nothing', tone: 'neutral' },
  problem: { text: 'The owner must act at Bybit', tone: 'caution' },
  unknown: { text: 'Unknown status', tone: 'caution' },
};

interface Match {
  text: string;
  tone: Tone;
  /** What more there is to say. */
  note: string | null;
}

/** What belongs to a movement on chain. */
export function matchOf(movement: PoolMovement): Match {
  const { kind, state, match, arrival, fits, decision } = movement;
  switch (match) {
    case 'matched':
      return {
        text: 'Matched',
        tone: 'positive',
        note:
          kind === 'deposit'
            ? "The pool's funding"
            : arrival?.state === 'unexplained'
              ? 'Counts in the next harvest'
              : arrival?.state === 'resolved'
                ? 'Decided by two people'
                : null,
      };
    case 'linked':
      return decision?.state === 'proposed'
        ? { text: 'Link proposed', tone: 'caution', note: arrivalWords(arrival) }
        : { text: 'Linked', tone: 'positive', note: arrivalWords(arrival) };
    case 'suggested':
      return {
        text: 'Suggested',
        tone: 'caution',
        note: `${arrivalWords(arrival)}, ${fits === 'sender' ? 'sent from where it went' : 'the same amount'}`,
      };
    case 'elsewhere':
      return { text: 'To another address', tone: 'caution', note: 'No arrival fits it' };
    case 'unmatched':
      return {
        text: 'Unmatched',
        tone: 'caution',
        note: kind === 'deposit' ? 'Not sent by this pool' : 'Not seen at the proxy wallet',
      };
    case 'waiting':
      return state === 'ended'
        ? { text: 'Nothing moved', tone: 'neutral', note: null }
        : { text: 'Not on chain yet', tone: 'neutral', note: null };
  }
}

const arrivalWords = (arrival: PoolMovement['arrival']) =>
  arrival ? `${exactUsdt(arrival.amount)} from ${shortId(arrival.from_address)}` : '';
