import type { Tone } from '../../../../ui/feedback/badge.tsx';
import type { AumRefresh } from './aum-refresh-query.ts';

export interface Outcome {
  tone: Extract<Tone, 'positive' | 'caution' | 'negative'>;
  text: string;
}

export const REFRESH_FAILED: Outcome = {
  tone: 'negative',
  text: 'Failed to refresh AUM. Please try again.',
};

/** The message about a finished refresh; null while it runs. */
export function refreshOutcome({ state, total, failed }: AumRefresh): Outcome | null {
  if (state === 'idle' || state === 'running') return null;
  if (state === 'failed' || (failed > 0 && failed >= total)) return REFRESH_FAILED;
  if (failed === 0) return { tone: 'positive', text: 'AUM refreshed successfully!' };
  const counted = failed === 1 ? 'its last known balance counts' : 'their last known balances count';
  return {
    tone: 'caution',
    text: `AUM refreshed in part: ${failed} of ${total} accounts could not be read, ${counted}.`,
  };
}
