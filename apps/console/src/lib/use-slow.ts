import { useEffect, useState } from 'react';

/** Whether something has gone on for longer than it should. Another attempt starts the clock again. */
export function useSlow(isRunning: boolean, afterMs: number, attempt = 0): boolean {
  const [isSlow, setSlow] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a reason to start again
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => setSlow(true), afterMs);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isRunning, afterMs, attempt]);
  return isSlow;
}
