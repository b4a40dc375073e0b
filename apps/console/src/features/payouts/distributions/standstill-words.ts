import { durationWords, waitWords } from '../../../lib/payout-problem-words.ts';
import type { Distribution } from '../payouts-queries.ts';

type Standstill = NonNullable<Distribution['standstill']>;

const STEPS: Record<Standstill['step'], string> = {
  consolidate: 'Collecting from deposit addresses',
  distribute: 'Paying recipients',
};

/** How long a distribution has made no progress, how long the step usually takes, and why it waits. */
export function standstillWords(standstill: Standstill, now: Date): { title: string; text: string } {
  const { step, since, usual_seconds } = standstill;
  const standing = durationWords(now.getTime() - Date.parse(since));
  const usual = usual_seconds === null ? '' : `, usually done in ${durationWords(usual_seconds * 1000)}`;
  return { title: `${STEPS[step]}: no progress for ${standing}${usual}`, text: waitWords(standstill) };
}
