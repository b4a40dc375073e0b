import type { UnexplainedEnd } from '@copydesk/domain/ledger';
import { exactUsdt } from '../../../lib/format/usdt.ts';
import type { Tone } from '../../../ui/feedback/badge.tsx';
import type { ArrivalDecision, PoolArrival } from '../pools-queries.ts';

export const ARRIVAL_LOOKS: Record<PoolArrival['state'], { text: string; tone: Tone }> = {
  returned: { text: 'Withdrawal from Bybit', tone: 'positive' },
  bounced: { text: 'Sent back by Bybit', tone: 'caution' },
  unexplained: { text: 'Unexplained', tone: 'caution' },
  resolved: { text: 'Decided', tone: 'neutral' },
};

/** What can become of unexplained money. */
export const END_WORDS: Record<UnexplainedEnd, string> = {
  is_return: 'It is a withdrawal from Bybit',
  covers_shortfall: 'It covers the shortfall of the pool',
  sent_back: 'Send it back',
};

const STATE_WORDS: Record<ArrivalDecision['state'], string> = {
  proposed: 'proposed',
  sending: 'being sent',
  done: 'done',
  failed: 'failed: nothing was sent',
  withdrawn: 'withdrawn',
  undone: 'undone',
};

/** A decision in one line. */
export const decisionWords = ({ kind, amount, state }: ArrivalDecision): string =>
  `${END_WORDS[kind]}: ${exactUsdt(amount)}, ${STATE_WORDS[state]}`;

/** The decision that is not carried out yet; null: there is none. */
export const openDecisionOf = ({ state, decisions }: PoolArrival): ArrivalDecision | null =>
  (state === 'unexplained' &&
    decisions.find((decision) => decision.state === 'proposed' || decision.state === 'sending')) ||
  null;

/** The decision that can be undone; null: none. */
export const undoableOf = ({ decisions }: PoolArrival): ArrivalDecision | null =>
  decisions.find(({ may_undo }) => may_undo) ?? null;
