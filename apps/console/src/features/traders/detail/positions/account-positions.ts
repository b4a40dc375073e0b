import type { OpenPosition } from '@copydesk/contract';
import { messageOf } from '../../../../lib/api-error.ts';
import type { LivePositions } from './positions-query.ts';

export interface AccountPositions {
  positions: readonly OpenPosition[];
  /** The time of the reading; null when there was none. */
  readAt: string | null;
  /** Why the exchange could not be read now, as displayed. */
  problem: string | null;
  isLoading: boolean;
}

interface LiveRead {
  data: LivePositions | undefined;
  error: unknown;
  isPending: boolean;
}

/**
 * The open positions of an account: the exchange's answer, unless the database is newer or the exchange cannot be read.
 * The last known positions are better than none, as long as their age is shown.
 */
export function accountPositions(stored: readonly OpenPosition[], live: LiveRead): AccountPositions {
  const storedAt = latest(stored.map((position) => position.read_at));
  const answer = live.data;
  const problem = answer?.meta.error?.message ?? (live.error ? messageOf(live.error) : null);
  const isLoading = live.isPending && stored.length === 0;
  if (answer?.meta.read_at && !answer.meta.error && timeOf(answer.meta.read_at) >= timeOf(storedAt)) {
    return { positions: answer.data, readAt: answer.meta.read_at, problem, isLoading };
  }
  return { positions: stored, readAt: storedAt, problem, isLoading };
}

const timeOf = (iso: string | null) => (iso ? Date.parse(iso) : 0);

function latest(times: readonly string[]): string | null {
  return times.reduce<string | null>((newest, at) => (timeOf(at) > timeOf(newest) ? at : newest), null);
}
