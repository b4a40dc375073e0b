import type { TransferEngine } from './engine.ts';

/** Whether a doubt has lasted long enough to act on it: a lagging server may briefly report wrong data. */
export function isLasting({ doubts, doubtMs, now }: TransferEngine, id: string): boolean {
  const since = doubts.get(id) ?? now().getTime();
  doubts.set(id, since);
  return now().getTime() - since >= doubtMs;
}
