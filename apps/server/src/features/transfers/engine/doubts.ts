import type { TransferEngine } from './engine.ts';

/** Whether something doubtful has been so for long enough to act upon: a server that lags tells much for a moment. */
export function isLasting({ doubts, doubtMs, now }: TransferEngine, id: string): boolean {
  const since = doubts.get(id) ?? now().getTime();
  doubts.set(id, since);
  return now().getTime() - since >= doubtMs;
}
